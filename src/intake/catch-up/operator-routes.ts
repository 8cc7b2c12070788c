import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { operator } from '../../projects/doors/operator'
import { getStoreEvent, listStoreEventPage, reprocessStoreEvent } from './admin'
import { EnvironmentFilter, StoreEvent, StoreEventDetail, StoreEventStatusSchema, StoreSchema } from './operator-wire'

const strict = { additionalProperties: false } as const
const tags = ['Store events']
const params = Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: true })

/** The inbox of the stores' notifications (wire 7.9). */
export const storeEventOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .get('/store-events', async ({ project, query }) => ({ data: await listStoreEventPage(ctx, project.id, query) }), {
      query: Type.Object(
        {
          ...listQuery,
          store: Type.Optional(StoreSchema),
          status: Type.Optional(StoreEventStatusSchema),
          environment: Type.Optional(EnvironmentFilter),
        },
        strict,
      ),
      response: listAnswer(StoreEvent),
      detail: { tags, summary: 'Notifications of the stores, newest first', operationId: 'listStoreEvents' },
    })
    .get(
      '/store-events/:id',
      async ({ project, params: { id } }) => ({ data: await getStoreEvent(ctx, project.id, id) }),
      {
        params,
        response: Type.Object({ data: StoreEventDetail }, strict),
        detail: {
          tags,
          summary: 'One notification with its body',
          description: 'The body is as the store has sent it, for as long as it is kept (90 days).',
          operationId: 'getStoreEvent',
          'x-errors': ['NOT_FOUND'],
        },
      },
    )
    .post(
      '/store-events/:id/reprocess',
      async ({ project, actor, params: { id } }) => ({
        data: await reprocessStoreEvent(ctx, project.id, id, actor),
      }),
      {
        params,
        body: Type.Object({}, strict),
        response: Type.Object({ data: StoreEvent }, strict),
        detail: {
          tags,
          summary: 'Process a notification again',
          description:
            'What it says is applied once, however often it is processed. One that is being processed stays as it is.',
          operationId: 'reprocessStoreEvent',
        },
      },
    )
