import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { projectsOfAccount } from '../../projects/connections/connected-accounts'
import type { ProjectState } from '../../projects/project/state'
import { type ProviderEvent, readEvent } from '../../stores/payment/event'
import { verifyWebhook, type WebhookRefusal } from '../../stores/payment/webhook'
import { type Apply, takeIn } from '../inbox/inbox'
import { postOf } from '../inbox/on-notification'
import { addressedProject, type Posted } from '../inbox/posted'
import { prepareEvent, toArrival } from './notification'
import { checkSubject, secretsFor } from './notification-sender'

/** An event as the provider posted it. */
export interface PostedEvent extends Pick<Posted, 'bytes' | 'contentType' | 'via'> {
  signature: string | null
}

type Received = { duplicate: boolean }

/** Stores and processes an event of a project's own account (wire 7.17). It is committed when this returns. */
export async function receivePaymentEvent(ctx: Context, projectId: string, posted: PostedEvent): Promise<Received> {
  const project = await addressedProject(ctx, projectId)
  const event = await checkEvent(ctx, posted, await secretsFor(ctx, project, posted.bytes))
  checkSubject(event)
  return takeFor(ctx, project, event, posted)
}

/**
 * Stores and processes an event of a connected account, for every project that sells through it in the event's mode. An
 * event of an account without a project is not stored. When one project fails, the others process the event all the
 * same; for them it is a duplicate when the provider sends it again.
 */
export async function receiveConnectEvent(ctx: Context, posted: PostedEvent): Promise<Received> {
  const event = await checkConnectEvent(ctx, posted)
  const mode = event.isLive ? 'live' : 'test'
  const projects = event.account === null ? [] : await projectsOfAccount(ctx, event.account, mode)
  const taken: Received[] = []
  const failures: unknown[] = []
  for (const project of projects) {
    try {
      taken.push(await takeFor(ctx, project, event, posted))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return { duplicate: taken.length > 0 && taken.every(({ duplicate }) => duplicate) }
}

/** A platform's live endpoint gets events of both modes. An event of live mode must be signed with the live secret. */
async function checkConnectEvent(ctx: Context, posted: PostedEvent): Promise<ProviderEvent> {
  const { live, test } = ctx.config.paymentConnect
  const secrets = [live, test].flatMap((keys) => (keys ? [keys.webhookSecret] : []))
  const event = await checkEvent(ctx, posted, secrets)
  if (event.isLive) await checkEvent(ctx, posted, live ? [live.webhookSecret] : [])
  return event
}

async function checkEvent(
  ctx: Context,
  { bytes, signature }: PostedEvent,
  secrets: readonly string[],
): Promise<ProviderEvent> {
  const result = await verifyWebhook({ body: bytes, signature, secrets, now: ctx.clock.now() })
  if (result.ok) return result.event
  throw refusalOf(result.reason)
}

function refusalOf(reason: WebhookRefusal): AppError {
  if (reason === 'too_large') return new AppError('PAYLOAD_TOO_LARGE')
  if (reason === 'malformed') return invalid('The body is signed, but is no event of the provider')
  return new AppError('UNAUTHORIZED', undefined, { message: `The event was refused (${SENTENCES[reason]})` })
}

const SENTENCES = {
  unsigned: 'it carries no signature',
  stale: 'it was signed more than 5 minutes ago, or ahead of our clock',
  bad_signature: 'the saved webhook secret did not sign it',
}

/** The provider repeats an event for three days. */
const MARK_MS = 3 * DAY

/**
 * With a shared cache, an event that was processed leaves a mark there, so that its repetitions are answered without the
 * database. 503 `CACHE_UNAVAILABLE` when the cache does not answer: the provider sends the event again.
 */
async function takeFor(
  ctx: Context,
  project: ProjectState,
  event: ProviderEvent,
  posted: PostedEvent,
): Promise<Received> {
  const { sharedCache } = ctx.state
  const mark = `payment:${project.id}:${event.id}`
  if (await sharedCache?.hasMark(mark)) return { duplicate: true }
  const arrival = toArrival(project.id, event, new TextDecoder().decode(posted.bytes))
  const post = postOf(project, posted)
  const taken = await takeIn(ctx, arrival, () => prepareEvent(ctx, project, event), post)
  if (taken.duplicate || taken.outcome.status !== 'FAILED') await sharedCache?.mark(mark, MARK_MS)
  return taken
}

/** Processes a stored event. Its signature was verified when it arrived. */
export async function reopenPaymentEvent(ctx: Context, project: ProjectState, body: string): Promise<Apply> {
  const event = readEvent(JSON.parse(body))
  if (!event) throw invalid('The stored body is no event of the provider')
  return prepareEvent(ctx, project, event)
}
