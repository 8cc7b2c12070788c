import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { idList, idPage } from '../../base/http/id-list'
import { integerAt, listAnswer, listQuery, readCursor, toList } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer, REVISED } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { createAnnotation, deleteAnnotation, listAnnotations } from './annotations'
import { createView, deleteView, listViews } from './views'

const strict = { additionalProperties: false } as const
const tags = ['Analytics']
const Query = Type.Object(listQuery, strict)

const Params = Type.Record(Type.String({ minLength: 1, maxLength: 64 }), Type.Unknown(), {
  maxProperties: 50,
  description: 'The parameters with which the chart is opened; at most 8 KiB as JSON',
})

const viewMembers = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  chartId: Type.String({ pattern: '^[a-z0-9_-]{1,64}$', maxLength: 64 }),
  params: Params,
}
const ViewBody = Type.Object(viewMembers, { ...strict, title: 'ChartViewRequest' })
const ViewSchema = Type.Object({ id: Type.String(), ...viewMembers, ...REVISED }, { ...strict, title: 'ChartView' })

const AnnotationBody = Type.Object(
  {
    at: Type.String({ maxLength: 64, description: 'ISO 8601', examples: ['2026-11-20T08:00:00.000Z'] }),
    text: Type.String({ minLength: 1, maxLength: 500 }),
  },
  { ...strict, title: 'AnnotationRequest' },
)
const AnnotationSchema = Type.Object(
  { id: Type.String(), at: Type.String({ format: 'date-time' }), text: Type.String(), ...REVISED },
  { ...strict, title: 'Annotation' },
)

/** Saved views of charts, and annotations on them (wire 7.11). Every member writes them. */
export const chartNoteRoutes = (ctx: Context) => new Elysia().use(viewRoutes(ctx)).use(annotationRoutes(ctx))

/** 503 `ANALYTICS_UNAVAILABLE` where the deployment has no charts (wire 9.6). */
function refuseWithoutCharts(ctx: Context): void {
  if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
}

const viewRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/charts/views',
      async ({ project, query }) => {
        refuseWithoutCharts(ctx)
        const scope = ['chart-views', project.id]
        return { data: idList(await listViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(ViewSchema),
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE'],
          summary: 'Saved views of charts',
          operationId: 'listChartViews',
        },
      },
    )
    .post(
      '/charts/views',
      async ({ project, actor, body, set }) => {
        refuseWithoutCharts(ctx)
        set.status = 201
        return { data: await createView(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: ViewBody,
        response: { 201: dataAnswer(ViewSchema) },
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE', 'CONFLICT'],
          summary: 'Save a view of a chart',
          description: 'At most 200.',
          operationId: 'createChartView',
        },
      },
    )
    .delete(
      '/charts/views/:id',
      async ({ project, actor, expected, params }) => {
        refuseWithoutCharts(ctx)
        await deleteView(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE', 'CONFLICT'],
          summary: 'Delete a saved view',
          operationId: 'deleteChartView',
        },
      },
    )

const annotationRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/charts/annotations',
      async ({ project, query: { limit = 50, cursor } }) => {
        refuseWithoutCharts(ctx)
        const scope = ['annotations', project.id]
        const after = readCursor(cursor, scope, 2)
        const before = after === null ? null : ([integerAt(after, 0), String(after[1])] as const)
        const rows = await listAnnotations(ctx, project.id, before, limit + 1)
        const parts = {
          positionOf: ({ row }: (typeof rows)[number]) => [row.at, row.id],
          toItem: ({ annotation }: (typeof rows)[number]) => annotation,
        }
        return { data: toList(rows, limit, scope, parts) }
      },
      {
        query: Query,
        response: listAnswer(AnnotationSchema),
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE'],
          summary: 'Annotations on charts, the latest first',
          operationId: 'listAnnotations',
        },
      },
    )
    .post(
      '/charts/annotations',
      async ({ project, actor, body, set }) => {
        refuseWithoutCharts(ctx)
        set.status = 201
        return { data: await createAnnotation(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: AnnotationBody,
        response: { 201: dataAnswer(AnnotationSchema) },
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE', 'CONFLICT'],
          summary: 'Annotate the charts',
          description: 'At most 1000.',
          operationId: 'createAnnotation',
        },
      },
    )
    .delete(
      '/charts/annotations/:id',
      async ({ project, actor, expected, params }) => {
        refuseWithoutCharts(ctx)
        await deleteAnnotation(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['ANALYTICS_UNAVAILABLE', 'CONFLICT'],
          summary: 'Delete an annotation',
          operationId: 'deleteAnnotation',
        },
      },
    )
