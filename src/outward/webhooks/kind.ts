import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { OutgoingInit } from '../../base/http/outgoing'
import type { EventRow } from '../../people/events/feed'
import type { DeliveryKind, EventSubscription, GuardedCall } from '../deliveries/kinds'
import type { AttemptResult, OpenDelivery } from '../deliveries/model'
import { authorizationTexts, redacted } from '../deliveries/redacted'
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

/** One after the other, as long as they are taken. The last answer is that of the attempt. */
async function sendAll(
  requests: readonly FormattedRequest[],
  send: (request: FormattedRequest) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  let result: AttemptResult = { kind: 'skip', reason: 'no_mapping' }
  for (const request of requests) {
    result = await send(request)
    if (!isTaken(result)) break
  }
  return result
}

const isTaken = (result: AttemptResult): boolean =>
  result.kind === 'answer' && result.status >= 200 && result.status < 300

async function sendOne(
  ctx: Context,
  request: FormattedRequest,
  secrets: readonly string[],
  call: (init: OutgoingInit) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const { id, body } = request
  const timestamp = Math.floor(ctx.clock.now() / 1000)
  const signature = signatureOf(secrets, { id, timestamp, body })
  const answer = await call({ method: 'POST', body, headers: headersOf(request, timestamp, signature) })
  return withoutSecrets(answer, [...secrets, ...signature.split(/[ ,]/), ...authorizationsOf(request)])
}

const headersOf = ({ id, headers }: FormattedRequest, timestamp: number, signature: string) => ({
  'user-agent': 'svc-webhooks/1',
  'content-type': 'application/json',
  ...headers,
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

/** The log of deliveries shows the beginning of an answer to people who may not know the secrets. */
function withoutSecrets(answer: AttemptResult, secrets: readonly string[]): AttemptResult {
  if (answer.kind !== 'answer') return answer
  const text = redacted(new TextDecoder().decode(answer.body), secrets)
  return { ...answer, body: new TextEncoder().encode(text) }
}

const authorizationsOf = ({ headers: { authorization } }: FormattedRequest): string[] =>
  authorization === undefined ? [] : authorizationTexts(authorization)

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
