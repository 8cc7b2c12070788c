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
import { signatureOf } from './sign'
import { savedTestEvent } from './test-send'

/** Deliveries to webhook endpoints. */
export const webhookDeliveries: DeliveryKind = {
  kind: 'WEBHOOK',
  waitsMs: WEBHOOK_WAITS,
  subscriptionsOf,
  isKnown: async (handle, projectId, id) => (await findEndpoint(handle, projectId, id)) !== null,
  findByName: async (handle, projectId, wanted) =>
    (await listEndpoints(handle, projectId)).find(({ name }) => name === wanted)?.id ?? null,
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

/** One signed request. Nothing is sent while the signing secret cannot be opened; that attempt is made again later. */
async function attempt(ctx: Context, delivery: OpenDelivery, call: GuardedCall): Promise<AttemptResult> {
  const endpoint = await findEndpoint(ctx, delivery.projectId, delivery.targetId)
  if (!endpoint) return { kind: 'dead', reason: 'deleted' }
  const event = eventOf(delivery)
  if (!event) return { kind: 'dead', reason: 'event_expired' }
  const now = ctx.clock.now()
  const secrets = openSecrets(ctx, endpoint, now)
  if (!secrets) return { kind: 'fault', reason: 'secret_unreadable' }
  const request = await requestOf(ctx, endpoint, { ...delivery, event })
  if (!request) return { kind: 'dead', reason: 'not_sendable' }
  const timestamp = Math.floor(now / 1000)
  const { body } = request
  return call(endpoint.url, {
    method: 'POST',
    body,
    headers: {
      'user-agent': 'svc-webhooks/1',
      'content-type': 'application/json',
      ...request.headers,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secrets, { id: event.id, timestamp, body }),
    },
  })
}

async function bodyOf(ctx: Context, delivery: OpenDelivery): Promise<string | null> {
  const event = eventOf(delivery)
  const endpoint = event && (await findEndpoint(ctx, delivery.projectId, delivery.targetId))
  return endpoint ? ((await requestOf(ctx, endpoint, { ...delivery, event }))?.body ?? null) : null
}

const eventOf = (delivery: OpenDelivery): EventRow | null => delivery.event ?? savedTestEvent(delivery)

const requestOf = (
  ctx: Context,
  endpoint: EndpointRow,
  delivery: OpenDelivery & { event: EventRow },
): Promise<FormattedRequest | null> =>
  formatOf[endpoint.format].request(ctx, delivery, openAuthorization(ctx, endpoint))
