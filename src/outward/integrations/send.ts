import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { findSubscriber, resolveRow } from '../../people/subscribers/service'
import type { GuardedCall } from '../deliveries/kinds'
import type { AttemptResult, OpenDelivery, SkipReason } from '../deliveries/model'
import { destinationOf } from './address'
import { type Credentials, openCredentials, withoutSecrets } from './credentials'
import { type EventFacts, factsOfEvent, factsOfTest, factsOfTrack } from './event-facts'
import { TEST_PERSON, toPerson } from './person'
import type { MappingInput, Person, Provider, ProviderRequest, Verdict } from './provider'
import { findIntegration, type IntegrationRow } from './queries'
import { findProvider } from './registry'
import { judgeEvent, mappedNameOf } from './scope'
import { openNetwork, readPayload } from './track-payload'

/** Ads providers refuse older events. */
const MAX_AD_AGE_MS = 7 * DAY

/** A connection that can be used: its provider is known and its credentials can be opened. */
interface Connection {
  row: IntegrationRow
  provider: Provider
  credentials: Credentials
}

/** Makes one attempt to send a delivery to its provider. */
export async function attempt(ctx: Context, delivery: OpenDelivery, call: GuardedCall): Promise<AttemptResult> {
  const connection = await findConnection(ctx, delivery)
  if ('kind' in connection) return connection
  const input = await inputOf(ctx, connection, delivery)
  if ('kind' in input) return input
  const mapped = connection.provider.map(input)
  if ('skip' in mapped) return { kind: 'skip', reason: mapped.skip }
  const { ip, userAgent } = input.person
  return sendAll(ctx, { ...connection, unhashed: [ip ?? '', userAgent ?? ''] }, mapped.requests, call)
}

/** The bodies that an attempt would send now, without secrets and without the encrypted part of the delivery. */
export async function bodyOf(ctx: Context, delivery: OpenDelivery): Promise<string | null> {
  const connection = await findConnection(ctx, delivery)
  if ('kind' in connection) return null
  const input = await inputOf(ctx, connection, delivery)
  if ('kind' in input) return null
  const mapped = connection.provider.map({ ...input, person: { ...input.person, ip: null, userAgent: null } })
  if ('skip' in mapped) return null
  const text = mapped.requests.map(({ body }) => body ?? '').join('\n')
  return withoutSecrets(text, connection.provider, connection.credentials)
}

async function findConnection(ctx: Context, delivery: OpenDelivery): Promise<Connection | AttemptResult> {
  const row = await findIntegration(ctx, delivery.projectId, delivery.targetId)
  if (!row) return { kind: 'dead', reason: 'integration_deleted' }
  const provider = findProvider(row.provider)
  if (!provider) return { kind: 'dead', reason: 'provider_unknown' }
  const credentials = openCredentials(ctx, row)
  return credentials ? { row, provider, credentials } : { kind: 'fault', reason: 'credentials_unreadable' }
}

async function inputOf(
  ctx: Context,
  { row, provider, credentials }: Connection,
  delivery: OpenDelivery,
): Promise<MappingInput<Credentials> | AttemptResult> {
  const facts = factsOf(ctx, delivery)
  if (!facts) return { kind: 'dead', reason: 'event_expired' }
  const reason = reasonToSkip(provider, row, facts, ctx.clock.now())
  if (reason) return { kind: 'skip', reason }
  const person = await personOf(ctx, row, provider, delivery)
  if (!person) return { kind: 'skip', reason: 'missing_identity' }
  return {
    ...{ credentials, person, ...facts },
    mappedName: mappedNameOf(row, facts.event.type),
    includeSandbox: row.includeSandbox,
    now: ctx.clock.now(),
  }
}

function factsOf(ctx: Context, { id, event, payload, isTest }: OpenDelivery): EventFacts | null {
  if (isTest) return factsOfTest(id, ctx.clock.now())
  if (event) return factsOfEvent(event)
  return payload === null ? null : factsOfTrack(readPayload(payload))
}

/** The settings at the time of the attempt decide: a delivery may have waited, or been asked for again by a person. */
function reasonToSkip(provider: Provider, row: IntegrationRow, { event }: EventFacts, now: number): SkipReason | null {
  if (event.source === 'TEST') return null
  if (event.source === 'TRACK' && mappedNameOf(row, event.type) === null) return 'no_mapping'
  const judged = event.source === 'FEED' ? judgeEvent(provider, row, event) : 'SEND'
  if (judged !== 'SEND') return judged
  return provider.kind === 'ADS' && now - event.occurredAt > MAX_AD_AGE_MS ? 'filtered_by_event_scope' : null
}

/** Null for a person who was erased. */
async function personOf(
  ctx: Context,
  { id }: IntegrationRow,
  { kind }: Provider,
  { isTest, projectId, subscriberId, payload }: OpenDelivery,
): Promise<Person | null> {
  if (isTest) return TEST_PERSON
  const row = subscriberId === null ? null : await findSubscriber(ctx, projectId, subscriberId)
  const subscriber = row && (await resolveRow(ctx, row))
  if (subscriberId !== null && (!subscriber || subscriber.erasedAt !== null)) return null
  const track = payload === null ? null : readPayload(payload)
  const network = track && kind === 'ADS' ? openNetwork(ctx, id, track) : { ip: null, userAgent: null }
  return toPerson({ subscriber, signals: track?.signals ?? null, network })
}

interface Sending extends Connection {
  /** What an ads provider gets unhashed: the log of the delivery must not have it when the provider repeats it. */
  unhashed: readonly string[]
}

/** All requests one after the other; the first that does not succeed is the result. */
async function sendAll(
  ctx: Context,
  connection: Sending,
  requests: readonly ProviderRequest[],
  call: GuardedCall,
): Promise<AttemptResult> {
  let result: AttemptResult = { kind: 'fault', reason: 'nothing_to_send' }
  for (const request of requests) {
    result = await sendOne(ctx, connection, request, call)
    if (result.kind !== 'answer' || result.status < 200 || result.status > 299) return result
  }
  return result
}

const VERDICT_STATUS: Readonly<Record<Exclude<Verdict, 'ok'>, number>> = { retry: 503, refused: 422 }

async function sendOne(
  { config }: Context,
  { provider, credentials, unhashed }: Sending,
  request: ProviderRequest,
  call: GuardedCall,
): Promise<AttemptResult> {
  const { address, query } = destinationOf(config, provider.name, request)
  const { method, headers, body } = request
  const answer = await call(address, { method, headers: { ...headers }, body, secretQuery: query })
  if (answer.kind !== 'answer') return answer
  const text = withoutSecrets(new TextDecoder().decode(answer.body), provider, credentials, headers, unhashed)
  const verdict = provider.judge?.({ status: answer.status, body: text })
  return { ...answer, status: judged(answer.status, verdict), body: new TextEncoder().encode(text) }
}

/** What counts as the status: a provider can refuse with 200, and say with 400 that it has the event already. */
function judged(status: number, verdict: Verdict | undefined): number {
  const isGood = status >= 200 && status < 300
  if (verdict === 'ok') return status === 400 ? 200 : status
  return verdict !== undefined && isGood ? VERDICT_STATUS[verdict] : status
}
