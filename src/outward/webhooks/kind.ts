import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { EventRow } from '../../people/events/feed'
import type { DeliveryKind, EventSubscription, GuardedCall } from '../deliveries/kinds'
import type { AttemptResult, OpenDelivery } from '../deliveries/model'
import { WEBHOOK_WAITS } from '../deliveries/schedule'
import { disableEndpoint } from './disable'
import { isWantedType } from './filter'
import { type FormattedRequest, formatOf } from './formats'
import { type EndpointRow, findEndpoint, listEndpoints } from './queries'
import { openAuthorization, openSecrets } from './secrets'
import { sendAll, sendOne } from './send'
import { savedTestEvent } from './test-send'

/** Deliveries to webhook endpoints. */
export const webhookDeliveries: DeliveryKind = {
  kind: 'WEBHOOK',
  waitsMs: WEBHOOK_WAITS,
  subscriptionsOf,
  isKnown: async (handle, projectId, id) => (await findEndpoint(handle, projectId, id)) !== null,
  attempt,
  disable: disableEndpoint,
  bodyOf,
}

async function subscriptionsOf(handle: Handle, projectId: string): Promise<EventSubscription[]> {
  const endpoints = await listEndpoints(handle, projectId)
  return endpoints
    .filter(({ isEnabled }) => isEnabled)
    .map((endpoint) => ({
      targetId: endpoint.id,
      since: endpoint.enabledAt,
      judge: (event) => (wants(endpoint, event) ? 'SEND' : 'IGNORE'),
    }))
}

const wants = ({ eventTypes, environments, format }: EndpointRow, event: EventRow): boolean =>
  isWantedType(eventTypes, event.type) && environments.includes(event.environment) && formatOf[format].has(event)

/**
 * The signed requests of one event. Nothing is sent while the signing secret cannot be opened; that attempt is made again
 * later.
 */
async function attempt(ctx: Context, delivery: OpenDelivery, call: GuardedCall): Promise<AttemptResult> {
  const endpoint = await findEndpoint(ctx, delivery.projectId, delivery.targetId)
  if (!endpoint) return { kind: 'dead', reason: 'deleted' }
  const event = eventOf(delivery)
  if (!event) return { kind: 'dead', reason: 'event_expired' }
  const secrets = openSecrets(ctx, endpoint, ctx.clock.now())
  if (!secrets) return { kind: 'fault', reason: 'secret_unreadable' }
  const requests = await requestsOf(ctx, endpoint, { ...delivery, event })
  if (!requests) return { kind: 'dead', reason: 'not_sendable' }
  return sendAll(requests, (request) => sendOne(ctx, request, secrets, (init) => call(endpoint.url, init)))
}

/** The body, or a JSON array when an attempt sends several; null when it sends none. */
async function bodyOf(ctx: Context, delivery: OpenDelivery): Promise<string | null> {
  const event = eventOf(delivery)
  const endpoint = event && (await findEndpoint(ctx, delivery.projectId, delivery.targetId))
  const requests = endpoint ? await requestsOf(ctx, endpoint, { ...delivery, event }) : null
  const [first, ...more] = requests?.map(({ body }) => body) ?? []
  if (first === undefined) return null
  return more.length === 0 ? first : `[${[first, ...more].join(',')}]`
}

const eventOf = (delivery: OpenDelivery): EventRow | null => delivery.event ?? savedTestEvent(delivery)

const requestsOf = (
  ctx: Context,
  endpoint: EndpointRow,
  delivery: OpenDelivery & { event: EventRow },
): Promise<FormattedRequest[] | null> =>
  formatOf[endpoint.format].requests(ctx, delivery, openAuthorization(ctx, endpoint))
