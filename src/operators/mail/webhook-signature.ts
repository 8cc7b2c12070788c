import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import type { MailWebhook } from '../../base/config'
import { DAY, MINUTE, SECOND } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'

export interface SignedPost {
  headers: Pick<Headers, 'get'>
  bytes: Uint8Array
  /** The body as JSON; undefined when it is none. */
  body: unknown
}

/** A provider repeats a report for hours, and a report that was seen before changes nothing. */
const TOLERANCE_MS = DAY
const AHEAD_MS = 5 * MINUTE

/** Whether the configured provider has sent this. */
export const isFromProvider = ({ provider, secret }: MailWebhook, post: SignedPost, now: number): boolean =>
  CHECKS[provider](secret, post, now)

const CHECKS: Readonly<Record<MailWebhook['provider'], (secret: string, post: SignedPost, now: number) => boolean>> = {
  /** `Authorization: Basic`, with any user name: the secret is the password in the address that was saved there. */
  postmark(secret, { headers }) {
    const [, encoded = ''] = /^basic +(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
    const given = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = given.indexOf(':')
    return colon >= 0 && isEqual(given.slice(colon + 1), secret)
  },
  /** In the body: HMAC-SHA256 of timestamp and token. It does not cover the event itself. */
  mailgun(secret, { body }, now) {
    const { timestamp, token, signature } = signatureOf(body)
    return isFresh(timestamp, now) && isEqual(signature, hmac(secret, `${timestamp}${token}`))
  },
  /** ECDSA over the timestamp and the body; the secret is the public key, in base64. */
  sendgrid(secret, { headers, bytes }, now) {
    const timestamp = headers.get('x-twilio-email-event-webhook-timestamp') ?? ''
    const signature = headers.get('x-twilio-email-event-webhook-signature') ?? ''
    return isFresh(timestamp, now) && isSignedBy(secret, Buffer.concat([Buffer.from(timestamp), bytes]), signature)
  },
  /** `svc-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, for everybody else. */
  hmac(secret, { headers, bytes }, now) {
    const [, timestamp = '', signature = ''] =
      /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(headers.get('svc-signature') ?? '') ?? []
    const signed = Buffer.concat([Buffer.from(`${timestamp}.`), bytes])
    return isFresh(timestamp, now) && isEqual(signature, hmac(secret, signed))
  },
}

const hmac = (secret: string, signed: string | Uint8Array): string =>
  createHmac('sha256', secret).update(signed).digest('hex')

/** Compares hashes, so that texts of any length take the same time. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)))

function isFresh(timestamp: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const at = Number(timestamp) * SECOND
  return at > now - TOLERANCE_MS && at < now + AHEAD_MS
}

function signatureOf(body: unknown): { timestamp: string; token: string; signature: string } {
  const { signature = null } = Object(body) as { signature?: unknown }
  const { timestamp, token, signature: given } = Object(signature) as Record<string, unknown>
  return { timestamp: text(timestamp), token: text(token), signature: text(given) }
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : ''

function isSignedBy(publicKey: string, signed: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return verify('sha256', signed, key, Buffer.from(signature, 'base64'))
  } catch {
    return false // The configured text is no key, or the signature has another form.
  }
}
