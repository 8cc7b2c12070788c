import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { projectsOfAccount } from '../../projects/connections/connected-accounts'
import type { ProjectState } from '../../projects/project/state'
import { type ProviderEvent, readEvent } from '../../stores/payment/event'
import { verifyWebhook, type WebhookRefusal } from '../../stores/payment/webhook'
import { addressedProject } from '../inbox/addressed'
import { type Apply, takeIn } from '../inbox/inbox'
import { prepareEvent, toArrival } from './notification'
import { checkSubject, secretsFor } from './notification-sender'

/** As the provider posted it. */
export interface PostedEvent {
  bytes: Uint8Array
  signature: string | null
}

type Received = { duplicate: boolean }

/** Takes in an event of a project's own account (wire 7.17); it is committed when this returns. */
export async function receivePaymentEvent(ctx: Context, projectId: string, posted: PostedEvent): Promise<Received> {
  const project = await addressedProject(ctx, projectId)
  const event = await checkEvent(ctx, posted, await secretsFor(ctx, project, posted.bytes))
  checkSubject(event)
  return takeFor(ctx, project, event, posted)
}

/**
 * Takes in an event of a connected account, for every project that sells through it in the event's mode. Of an account
 * of no project nothing is kept: there is nobody to keep it for. When one project fails the others have it all the
 * same, and know it when the provider tells again.
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

/** The live endpoint of a platform is told of both modes; what the test secret signed is never of live mode. */
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

const takeFor = (ctx: Context, project: ProjectState, event: ProviderEvent, { bytes }: PostedEvent) =>
  takeIn(ctx, toArrival(project.id, event, new TextDecoder().decode(bytes)), () => prepareEvent(ctx, project, event))

/** Processes a stored event: its signature was checked when it came. */
export async function reopenPaymentEvent(ctx: Context, project: ProjectState, body: string): Promise<Apply> {
  const event = readEvent(JSON.parse(body))
  if (!event) throw invalid('The stored body is no event of the provider')
  return prepareEvent(ctx, project, event)
}
