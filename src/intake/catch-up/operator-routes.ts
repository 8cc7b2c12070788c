import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { bodyInstant } from '../../base/http/parameters'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { operator } from '../../projects/doors/operator'
import { getStoreEvent, listStoreEventPage, reprocessStoreEvent } from './admin'
import { fetchStoreHistory } from './fetch'
import {
  EnvironmentFilter,
  FetchBody,
  FetchedHistory,
  instantOf,
  StoreEvent,
  StoreEventDetail,
  StoreEventStatusSchema,
  StoreSchema,
} from './operator-wire'

const strict = { additionalProperties: false } as const
const tags = ['Store events']
const params = Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: true })

/** The inbox of the stores' notifications (wire 7.9). */
export const storeEventOperatorRoutes = (ctx: Context) => new Elysia().use(inboxRoutes(ctx)).use(fetchRoute(ctx))

const inboxRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .get('/store-events', async ({ project, query }) => ({ data: await listStoreEventPage(ctx, project.id, query) }), {
      query: Type.Object(
        {
          ...listQuery,
          store: Type.Optional(StoreSchema),
          status: Type.Optional(StoreEventStatusSchema),
          environment: Type.Optional(EnvironmentFilter),
          from: Type.Optional(instantOf('ISO 8601; those that arrived earlier are left out')),
          to: Type.Optional(instantOf('ISO 8601; those that arrived later are left out')),
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

/** After this time a call stops, and its answer has the page to continue with. */
const FETCH_MS = MINUTE

const fetchRoute = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).post(
    '/store-events/fetch',
    async ({ project, actor, body: { store, environment = 'PRODUCTION', from, to, page } }) => {
      const span = {
        from: from === undefined ? undefined : bodyInstant('from', from),
        to: to === undefined ? undefined : bodyInstant('to', to),
      }
      const fetched = await fetchStoreHistory(ctx, project, actor, { store, environment, page, ...span }, timeLimit())
      return { data: { ...fetched, from: toIso(fetched.from), to: toIso(fetched.to) } }
    },
    {
      body: FetchBody,
      response: dataAnswer(FetchedHistory),
      detail: {
        tags,
        'x-errors': ['STORE_CREDENTIALS_INVALID', 'STORE_UNAVAILABLE', 'IOS_APP_ID_MISSING', 'PAYMENT_NOT_CONNECTED'],
        summary: 'Fetch what a store has notified',
        description:
          'Reads the history of the iOS store (180 days, of the sandbox 30) or of the payment provider (30 days) and processes what is missing in the inbox. It may be repeated. A call stops after a minute; `stopped` then has the reason and the page to continue with. A server does this every hour by itself.',
        operationId: 'fetchStoreEvents',
      },
    },
  )

function timeLimit() {
  const until = monotonicMs() + FETCH_MS
  const signal = {
    get aborted() {
      return monotonicMs() > until
    },
  }
  return { signal, interruption: 'One call fetches for a minute' }
}
