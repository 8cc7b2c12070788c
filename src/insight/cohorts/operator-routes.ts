import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery, writeCursor } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { contextInTurn } from '../../base/turn-context'
import { ListedSubscriber, toListedView } from '../../people/directory/wire'
import { operator } from '../../projects/doors/operator'
import { createCohort, deleteCohort, listCohorts, updateCohort } from './admin'
import { analyseCohort, listMembers } from './members'
import { AnalysisSchema, CohortBody, CohortPatch, CohortSchema, toAnalysisView } from './operator-wire'

const tags = ['Analytics']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Cohorts: people by what they did (wire 7.11). */
export const cohortOperatorRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/cohorts',
      async ({ project, query }) => {
        const scope = ['cohorts', project.id]
        return { data: idList(await listCohorts(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(CohortSchema),
        detail: { tags, summary: 'Cohorts', operationId: 'listCohorts' },
      },
    )
    .get(
      '/cohorts/:id/members',
      async ({ project, params, query, request: { signal } }) => {
        const own = contextInTurn(ctx, { group: project.id, signal })
        const scope = ['cohort-members', project.id, params.id]
        const { items, hasMore } = await listMembers(own, project, params.id, idPage(query, scope))
        const last = items.at(-1)
        const nextCursor = hasMore && last ? writeCursor([last.row.id], scope) : null
        return { data: { items: items.map(toListedView), nextCursor } }
      },
      {
        query: Query,
        response: listAnswer(ListedSubscriber),
        detail: {
          tags,
          summary: 'People of a cohort, the newest subscriber first',
          description:
            'They are found again at most once a minute; 503 DATABASE_UNAVAILABLE while many are found for the first time.',
          operationId: 'listCohortMembers',
          'x-errors': ['ANALYTICS_UNREACHABLE'],
        },
      },
    )
    .get(
      '/cohorts/:id/analysis',
      async ({ project, params, request: { signal } }) => {
        const own = contextInTurn(ctx, { group: project.id, signal })
        return { data: toAnalysisView(await analyseCohort(own, project.id, params.id)) }
      },
      {
        response: dataAnswer(AnalysisSchema),
        detail: {
          tags,
          summary: 'How the people of a cohort stayed',
          description:
            'A month has the shares for every n that all its people have reached. Paid: a subscription in ACTIVE or GRACE_PERIOD that is no trial and not free.',
          operationId: 'analyseCohort',
          'x-errors': ['ANALYTICS_UNREACHABLE'],
        },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'audiences:write' })
    .post(
      '/cohorts',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createCohort(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: CohortBody,
        response: { 201: dataAnswer(CohortSchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Create a cohort',
          description: 'At most 100. size is null while the people are still being found.',
          operationId: 'createCohort',
        },
      },
    )
    .patch(
      '/cohorts/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateCohort(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: CohortPatch,
        response: dataAnswer(CohortSchema),
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Change a cohort',
          description: 'A definition replaces the former one as a whole.',
          operationId: 'updateCohort',
        },
      },
    )
    .delete(
      '/cohorts/:id',
      async ({ project, actor, expected, params }) => {
        await deleteCohort(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Delete a cohort', operationId: 'deleteCohort' },
      },
    )
