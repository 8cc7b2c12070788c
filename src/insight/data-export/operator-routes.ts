import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { changeSchedule, createSchedule, removeSchedule } from './admin'
import { ExportListQuery, RunSchema, ScheduleBody, SchedulePatch, ScheduleSchema, toInput } from './operator-wire'
import { listRunViews, listScheduleViews } from './views'

const tags = ['Analytics']

/** Scheduled exports of a project's data. */
export const exportOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .get(
      '/exports',
      async ({ project, query }) => {
        const scope = ['exports', project.id]
        return { data: idList(await listRunViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: ExportListQuery,
        response: listAnswer(RunSchema),
        detail: {
          tags,
          summary: 'Exports of the data, with their files',
          description: 'Those of schedules and those of the command line, newest first.',
          operationId: 'listDataExports',
        },
      },
    )
    .get(
      '/exports/schedules',
      async ({ project, query }) => {
        const scope = ['export-schedules', project.id]
        return { data: idList(await listScheduleViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: ExportListQuery,
        response: listAnswer(ScheduleSchema),
        detail: { tags, summary: 'Scheduled exports', operationId: 'listExportSchedules' },
      },
    )

/** Exports hold data of people. The request of a schedule contains a secret, so it is not kept. */
const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:gdpr', idempotency: { hidesBody: true } })
    .post(
      '/exports/schedules',
      async ({ project, actor, body, set }) => {
        const by = { projectId: project.id, actor, isTrusted: false }
        const created = await createSchedule(ctx, by, { ...toInput(body), to: body.to })
        set.status = 201
        return { data: created }
      },
      {
        body: ScheduleBody,
        response: { 201: dataAnswer(ScheduleSchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Export the data daily',
          description:
            'Into a bucket. The first export has every row, each later one the rows that changed since the one before. At most 10 schedules.',
          operationId: 'createExportSchedule',
        },
      },
    )
    .patch(
      '/exports/schedules/:id',
      async ({ project, actor, expected, params, body }) => {
        const by = { projectId: project.id, actor, expected, isTrusted: false }
        return { data: await changeSchedule(ctx, by, params.id, toInput(body)) }
      },
      {
        body: SchedulePatch,
        response: dataAnswer(ScheduleSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Change a scheduled export',
          description: 'Another bucket or service needs its credentials in the same request.',
          operationId: 'updateExportSchedule',
        },
      },
    )
    .delete(
      '/exports/schedules/:id',
      async ({ project, actor, expected, params }) => {
        await removeSchedule(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a scheduled export',
          description: 'What it has written stays in the bucket.',
          operationId: 'deleteExportSchedule',
        },
      },
    )
