import { MINUTE, SECOND } from '../../base/lib/clock'
import { type ProviderEvent, readEvent } from './event'
import { loadLibrary } from './provider'

export const MAX_WEBHOOK_BYTES = 1024 * 1024
export const WEBHOOK_TOLERANCE_MS = 5 * MINUTE

export interface Delivery {
  /** The raw body, whose bytes are signed. */
  body: Uint8Array
  /** The `Stripe-Signature` header. */
  signature: string | null
  /** Any of them may have signed: an old secret that is being replaced, or test and live mode at one address. */
  secrets: readonly string[]
  now: number
}

export type WebhookRefusal = 'too_large' | 'unsigned' | 'stale' | 'bad_signature' | 'malformed'
export type WebhookResult = { ok: true; event: ProviderEvent } | { ok: false; reason: WebhookRefusal }

/** The event of a delivery that one of the secrets signed at most five minutes before or after now. */
export async function verifyWebhook({ body, signature, secrets, now }: Delivery): Promise<WebhookResult> {
  if (body.byteLength > MAX_WEBHOOK_BYTES) return refused('too_large')
  const signedAt = signature === null ? null : timeOf(signature)
  if (signature === null || signedAt === null) return refused('unsigned')
  // The library itself accepts any time in the future.
  if (Math.abs(now - signedAt) > WEBHOOK_TOLERANCE_MS) return refused('stale')
  for (const secret of secrets) {
    const opened = await open(body, signature, secret, now)
    if (opened.ok || opened.reason !== 'bad_signature') return opened
  }
  return refused('bad_signature')
}

const refused = (reason: WebhookRefusal): WebhookResult => ({ ok: false, reason })

/** The time in the header, if there is exactly one. */
function timeOf(signature: string): number | null {
  const times = signature.split(',').filter((part) => /^\s*t\s*=/.test(part))
  const [time = ''] = times
  return times.length === 1 && /^t=\d{1,12}$/.test(time) ? Number(time.slice(2)) * SECOND : null
}

async function open(body: Uint8Array, signature: string, secret: string, now: number): Promise<WebhookResult> {
  const { webhooks, errors } = await loadLibrary()
  const tolerance = WEBHOOK_TOLERANCE_MS / SECOND
  try {
    const value: unknown = await webhooks.constructEventAsync(body, signature, secret, tolerance, undefined, now)
    const event = readEvent(value)
    return event ? { ok: true, event } : refused('malformed')
  } catch (error) {
    // Other errors mean that the signature was valid: the body is not JSON, or an event of another kind.
    return refused(error instanceof errors.StripeSignatureVerificationError ? 'bad_signature' : 'malformed')
  }
}
