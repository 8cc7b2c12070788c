import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage, pageOf } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { operator } from '../../projects/doors/operator'
import { createPlacement, deletePlacement, updatePlacement } from './admin'
import { fallbackExport } from './fallback'
import { placementMetrics } from './metrics'
import {
  FallbackSchema,
  PlacementAdminSchema,
  PlacementBody,
  PlacementListQuery,
  PlacementMetricsSchema,
  PlacementPatch,
} from './operator-wire'
import { getPlacement, listPlacements, type PlacementTableRow } from './service'

const tags = ['Targeting']

const toView = ({ projectId: _projectId, createdAt, updatedAt, ...row }: PlacementTableRow) => ({
  ...row,
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

/** Placements in the dashboard (wire 7.6). */
export const placementOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(fallbackRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/placements',
      async ({ project, query }) => {
        const scope = ['placements', project.id]
        const { items, hasMore } = pageOf(await listPlacements(ctx, project.id), idPage(query, scope))
        return { data: idList({ items: items.map(toView), hasMore }, scope) }
      },
      {
        query: PlacementListQuery,
        response: listAnswer(PlacementAdminSchema),
        detail: { tags, summary: 'Placements of the project', operationId: 'listPlacements' },
      },
    )
    .get(
      '/placements/:id',
      async ({ project, params }) => ({ data: toView(await getPlacement(ctx, project.id, params.id)) }),
      {
        response: dataAnswer(PlacementAdminSchema),
        detail: { tags, summary: 'One placement', operationId: 'getPlacementById' },
      },
    )
    .get(
      '/placements/:id/metrics',
      async ({ project, params }) => ({ data: await placementMetrics(ctx, project.id, params.id) }),
      {
        response: dataAnswer(PlacementMetricsSchema),
        detail: {
          tags,
          summary: 'What came of a placement',
          description: 'Purchases and revenue in production, of receipts whose presentedContext names the placement.',
          operationId: 'getPlacementMetrics',
        },
      },
    )

const fallbackRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/placements/fallback-export',
    async ({ project, set }) => {
      set.headers['content-disposition'] = 'attachment; filename="placements.json"'
      return fallbackExport(ctx, project)
    },
    {
      response: FallbackSchema,
      detail: {
        tags,
        summary: 'The file that apps ship with',
        description: 'Every active placement as an anonymous caller gets it. Without the envelope of other answers.',
        operationId: 'exportFallback',
      },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'placements:write' })
    .post(
      '/placements',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: toView(await createPlacement(ctx, project.id, body, actor)) }
      },
      {
        body: PlacementBody,
        response: { 201: dataAnswer(PlacementAdminSchema) },
        detail: {
          tags,
          'x-errors': ['INVALID_ROW_REF', 'IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Create a placement',
          operationId: 'createPlacement',
        },
      },
    )
    .patch(
      '/placements/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: toView(await updatePlacement(ctx, project.id, params.id, body, actor, expected)),
      }),
      {
        body: PlacementPatch,
        response: dataAnswer(PlacementAdminSchema),
        detail: {
          tags,
          'x-errors': ['INVALID_ROW_REF', 'IDENTIFIER_TAKEN', 'CONFLICT'],
          summary: 'Change a placement',
          operationId: 'updatePlacement',
        },
      },
    )
    .delete(
      '/placements/:id',
      async ({ project, actor, expected, params }) => {
        await deletePlacement(ctx, project.id, params.id, actor, expected)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Delete a placement', operationId: 'deletePlacement' },
      },
    )
