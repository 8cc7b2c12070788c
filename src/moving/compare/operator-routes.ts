import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { CSV_RESPONSES, csvResponse } from '../../base/http/csv'
import { idList, idPage } from '../../base/http/id-list'
import { integerAt, listAnswer, readCursor, toList } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { auditExport, cancelRun, removeSchedule, setSchedule, startRun } from './admin'
import { FINDING_COLUMNS, findingCells, findingPages } from './csv'
import {
  CompareListQuery,
  FindingFileQuery,
  FindingListQuery,
  FindingSchema,
  RunBody,
  RunSchema,
  ScheduleBody,
  ScheduleSchema,
} from './operator-wire'
import { listFindings } from './queries'
import { getRun, getScheduleView, listRunViews, toFindingView, toRunView } from './views'

const tags = ['Comparison']

/** The comparison with the service that a project leaves. */
export const compareOperatorRoutes = (ctx: Context) =>
  new Elysia().use(scheduleRoutes(ctx)).use(runRoutes(ctx)).use(findingRoutes(ctx)).use(startRoutes(ctx))

const runRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:import' })
    .get(
      '/compare/runs',
      async ({ project, query }) => {
        const scope = ['compare', project.id]
        return { data: idList(await listRunViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: CompareListQuery,
        response: listAnswer(RunSchema),
        detail: {
          tags,
          summary: 'Comparisons with another service',
          description: 'Nightly ones, those that people have started and those of the command line, newest first.',
          operationId: 'listComparisons',
        },
      },
    )
    .get(
      '/compare/runs/:id',
      async ({ project, params }) => ({ data: toRunView(await getRun(ctx, project.id, params.id)) }),
      {
        response: dataAnswer(RunSchema),
        detail: { tags, summary: 'A comparison with its counts', operationId: 'getComparison' },
      },
    )
    .post(
      '/compare/runs/:id/cancel',
      async ({ project, actor, params }) => ({
        data: await cancelRun(ctx, { projectId: project.id, actor }, params.id),
      }),
      {
        response: dataAnswer(RunSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'End a comparison where it is',
          description: 'What it has found so far stays.',
          operationId: 'cancelComparison',
        },
      },
    )

const findingRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:import' })
    .get(
      '/compare/runs/:id/findings',
      async ({ project, params, query: { limit = 50, cursor, kind = null } }) => {
        const run = await getRun(ctx, project.id, params.id)
        const scope = ['compare-findings', run.id, kind]
        const position = readCursor(cursor, scope, 1)
        const after = position === null ? 0 : integerAt(position, 0)
        const rows = await listFindings(ctx, run.id, kind, after, limit + 1)
        const parts = { positionOf: (row: (typeof rows)[number]) => [row.position], toItem: toFindingView }
        return { data: toList(rows, limit, scope, parts) }
      },
      {
        query: FindingListQuery,
        response: listAnswer(FindingSchema),
        detail: {
          tags,
          summary: 'What a comparison has found',
          description: 'In the order in which it was found, also while the comparison goes on.',
          operationId: 'listComparisonFindings',
        },
      },
    )
    .get(
      '/compare/runs/:id/findings.csv',
      async ({ project, actor, params, query: { kind = null } }) => {
        const run = await getRun(ctx, project.id, params.id)
        await auditExport(ctx, actor, run, kind)
        return csvResponse(
          { state: ctx.state, projectId: project.id },
          {
            fileName: `${run.id}.csv`,
            header: FINDING_COLUMNS,
            pages: findingPages(ctx, run.id, kind),
            toCells: findingCells,
          },
        )
      },
      {
        query: FindingFileQuery,
        detail: {
          tags,
          summary: 'The differences as CSV',
          description: 'It is noted in the audit log.',
          operationId: 'exportComparisonFindings',
          responses: CSV_RESPONSES,
        },
      },
    )

/** The request contains a secret, so it is not kept. */
const startRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:import', idempotency: { hidesBody: true } }).post(
    '/compare/runs',
    async ({ project, actor, body, set }) => {
      const run = await startRun(ctx, { projectId: project.id, actor, isTrusted: false }, body)
      set.status = 201
      return { data: run }
    },
    {
      body: RunBody,
      response: { 201: dataAnswer(RunSchema) },
      detail: {
        tags,
        'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
        summary: 'Compare with another service',
        description: 'The server works on it. The key is kept encrypted until the end, and deleted then.',
        operationId: 'startComparison',
      },
    },
  )

const scheduleRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:import', idempotency: { hidesBody: true } })
    .get('/compare/schedule', async ({ project }) => ({ data: await getScheduleView(ctx, project.id) }), {
      response: dataAnswer(ScheduleSchema),
      detail: { tags, summary: 'The nightly comparison', operationId: 'getComparisonSchedule' },
    })
    .put(
      '/compare/schedule',
      async ({ project, actor, expected, body }) => {
        const by = { projectId: project.id, actor, expected, isTrusted: false }
        return { data: await setSchedule(ctx, by, body) }
      },
      {
        body: ScheduleBody,
        response: dataAnswer(ScheduleSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Compare every night',
          description: 'Without key the saved one stays. Another vendor or address needs its key in the same request.',
          operationId: 'setComparisonSchedule',
        },
      },
    )
    .delete(
      '/compare/schedule',
      async ({ project, actor, expected }) => {
        await removeSchedule(ctx, { projectId: project.id, actor, expected })
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'End the nightly comparison',
          description: 'What it has found stays.',
          operationId: 'deleteComparisonSchedule',
        },
      },
    )
