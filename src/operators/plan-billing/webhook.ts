import type { CloudConfig } from '../../base/config-cloud'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { enqueue } from '../../base/jobs/queue'
import { outsideNow } from '../../base/lib/clock'
import { findCustomer } from '../../projects/billing/account-queries'
import type { BillingEvent } from '../../projects/billing/life'
import { requireCloud } from '../../projects/billing/service'
import type { ProviderEvent } from '../../stores/payment/event'
import { verifyWebhook, type WebhookRefusal } from '../../stores/payment/webhook'
import { careJob } from './care-job'
import { recordEvents } from './record'
import { customerOfObject, readSubscription } from './subscription-object'

const TEST_SECRET = 'billing test store'

function webhookSecret(ctx: Context, { webhookSecret: secret, provider }: CloudConfig): string {
  if (secret !== null) return secret
  if (provider === 'TEST_STORE') return `whsec_${ctx.mac.sign('events', TEST_SECRET)}`
  throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
}

/** The header with which the test store signs an event, as the provider does it. */
export function signBilling(ctx: Context, body: string, seconds: number): string {
  const hasher = new Bun.CryptoHasher('sha256', webhookSecret(ctx, requireCloud(ctx)))
  return `t=${seconds},v1=${hasher.update(`${seconds}.${body}`).digest('hex')}`
}

/**
 * Takes in an event of the account that charges for plans, after its signature was verified. It is committed when this
 * returns. An event of an unknown customer is acknowledged and not kept.
 */
export async function receiveBillingEvent(ctx: Context, body: Uint8Array, signature: string | null) {
  const cloud = requireCloud(ctx)
  const secrets = [webhookSecret(ctx, cloud)]
  const result = await verifyWebhook({ body, signature, secrets, now: outsideNow(ctx) })
  if (!result.ok) throw refusalOf(result.reason)
  const { type, object } = read(body)
  const customer = await findCustomer(ctx, customerOfObject(object) ?? '')
  if (!customer) return { duplicate: false }
  const { projectId } = customer
  if (CARD_EVENTS.includes(type)) {
    await ctx.write((tx) => enqueue(tx, careJob, { projectId }))
    return { duplicate: false }
  }
  const event = toBillingEvent(cloud, result.event, type, object)
  return { duplicate: event !== null && !(await recordEvents(ctx, projectId, [event])) }
}

const CARD_EVENTS = ['payment_method.attached', 'setup_intent.succeeded']

function refusalOf(reason: WebhookRefusal): AppError {
  if (reason === 'too_large') return new AppError('PAYLOAD_TOO_LARGE')
  if (reason === 'malformed') return invalid('The body is signed, but is no event of the provider')
  return new AppError('UNAUTHORIZED', undefined, { message: 'The signature of the event is missing, old or wrong' })
}

/** Of a body that `verifyWebhook` has read as an event. */
function read(body: Uint8Array) {
  const event: { type: string; data: { object: Record<string, unknown> } } = JSON.parse(new TextDecoder().decode(body))
  return { type: event.type, object: event.data.object }
}

const RANKS: Readonly<Record<string, number>> = { created: 0, deleted: 3 }
const CHANGED = 2

function toBillingEvent(
  cloud: CloudConfig,
  { id, createdAt }: ProviderEvent,
  type: string,
  object: Record<string, unknown>,
): BillingEvent | null {
  const [, word] = /^customer\.subscription\.(\w+)$/.exec(type) ?? []
  const report = word === undefined ? null : readSubscription(cloud, object)
  return report && { id, at: createdAt, rank: RANKS[word ?? ''] ?? CHANGED, report }
}
