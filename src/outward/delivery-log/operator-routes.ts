import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer, readCursor } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { bodyInstant } from '../../base/http/parameters'
import { toScannedList } from '../../base/http/scan'
import { namedPage } from '../../people/purchases/person-ref'
import type { Actor } from '../../projects/audit/audit'
import { operator } from '../../projects/doors/operator'
import type { ProjectState } from '../../projects/project/state'
import { type DeliveryActor, dismissDelivery, redeliver, retryDelivery } from '../deliveries/reopen'
import { environmentsOf, getDelivery, listDeliveries } from './list'
import { DeliveryParams, DeliveryQuery, NoBody, ReplayAnswer, ReplayBody } from './operator-wire'
import { replayDeliveries } from './replay'
import {
  DeliveryDetail,
  DeliveryView,
  ListedDelivery,
  toDeliveryDetail,
  toDeliveryView,
  toListedDelivery,
} from './wire'

const tags = ['Webhooks']
const KIND = 'WEBHOOK'

/** The log of deliveries to webhook endpoints, and the actions of people (wire 7.9). */
export const deliveryLogRoutes = (ctx: Context) => new Elysia().use(readRoutes(ctx)).use(actionRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/webhook-deliveries',
      async ({ project, query }) => {
        const { limit = 50, cursor, endpointId, status, type, subscriberId, environment } = query
        const scope = ['webhook-deliveries', project.id, endpointId, status, type, subscriberId, environment]
        const filter = {
          projectId: project.id,
          kind: KIND,
          targetId: endpointId ?? null,
          status: status ?? null,
          type: type ?? null,
          subscriberId: subscriberId ?? null,
          environment,
        } as const
        const page = await listDeliveries(ctx, filter, { after: readCursor(cursor, scope, 1), limit })
        const named = await namedPage(ctx, project.id, page)
        const environments = await environmentsOf(ctx, project.id, page.rows)
        return { data: toScannedList(named, scope, toListedDelivery(environments)) }
      },
      {
        query: DeliveryQuery,
        response: listAnswer(ListedDelivery),
        detail: {
          tags,
          summary: 'Deliveries to webhook endpoints',
          description:
            'Newest first. A page can have fewer items than limit although nextCursor is given: a request reads a bounded number of rows.',
          operationId: 'listWebhookDeliveries',
        },
      },
    )
    .get(
      '/webhook-deliveries/:id',
      async ({ project, params }) => {
        const { row, body } = await getDelivery(ctx, project.id, KIND, params.id)
        return { data: toDeliveryDetail(row, body) }
      },
      {
        params: DeliveryParams,
        response: dataAnswer(DeliveryDetail),
        detail: {
          tags,
          summary: 'One delivery with its attempts and its body',
          operationId: 'getWebhookDelivery',
          'x-errors': ['NOT_FOUND'],
        },
      },
    )

const actionRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'webhooks:write' })
    .post(
      '/webhook-deliveries/:id/retry',
      async ({ project, actor, params }) => ({
        data: toDeliveryView(await retryDelivery(ctx, byOf(project, actor), params.id)),
      }),
      {
        params: DeliveryParams,
        body: NoBody,
        response: dataAnswer(DeliveryView),
        detail: {
          tags,
          summary: 'Try a dead delivery again',
          description: 'It gets all its attempts again, under the same id. Only a DEAD one.',
          operationId: 'retryWebhookDelivery',
          'x-errors': ['NOT_FOUND', 'WEBHOOK_STATE', 'CONFLICT'],
        },
      },
    )
    .post(
      '/webhook-deliveries/:id/dismiss',
      async ({ project, actor, params }) => ({
        data: toDeliveryView(await dismissDelivery(ctx, byOf(project, actor), params.id)),
      }),
      {
        params: DeliveryParams,
        body: NoBody,
        response: dataAnswer(DeliveryView),
        detail: {
          tags,
          summary: 'Mark a dead delivery as dealt with',
          operationId: 'dismissWebhookDelivery',
          'x-errors': ['NOT_FOUND', 'WEBHOOK_STATE'],
        },
      },
    )
    .post(
      '/webhook-deliveries/:id/redeliver',
      async ({ project, actor, params }) => ({
        data: toDeliveryView(await redeliver(ctx, byOf(project, actor), params.id)),
      }),
      {
        params: DeliveryParams,
        body: NoBody,
        response: dataAnswer(DeliveryView),
        detail: {
          tags,
          summary: 'Deliver the same event once more',
          description: 'A new delivery with the same `webhook-id`, whatever has become of the old one.',
          operationId: 'redeliverWebhook',
          'x-errors': [
            'NOT_FOUND',
            'CONFLICT',
            'TEST_DELIVERY_NOT_REDELIVERABLE',
            'WEBHOOK_EVENT_EXPIRED',
            'WEBHOOK_EVENT_UNMAPPABLE',
            'QUEUE_UNAVAILABLE',
          ],
        },
      },
    )
    .post(
      '/webhook-deliveries/replay',
      async ({ project, actor, body: { endpointId, from, to, types = [] } }) => {
        const window = { from: bodyInstant('from', from), to: bodyInstant('to', to) }
        const order = { targetId: endpointId, ...window, types }
        return { data: { queued: await replayDeliveries(ctx, byOf(project, actor), order) } }
      },
      {
        body: ReplayBody,
        response: ReplayAnswer,
        detail: {
          tags,
          summary: 'Deliver the events of a time range again',
          description:
            'Every kept event that was recorded from `from` to `to` and passes the filter of the endpoint, in the order of the feed, also those that the endpoint has got before.',
          operationId: 'replayWebhookDeliveries',
          'x-errors': ['NOT_FOUND', 'CONFLICT', 'QUEUE_UNAVAILABLE'],
        },
      },
    )

const byOf = ({ id }: ProjectState, actor: Actor): DeliveryActor => ({ projectId: id, kind: KIND, actor })
