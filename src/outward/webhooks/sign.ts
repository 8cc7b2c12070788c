import { createHmac } from 'node:crypto'

/** What every signing secret starts with (Standard Webhooks 1.0.0). */
const PREFIX = 'whsec_'

export const SECRET_BYTES = 32

/** The text of a signing secret: `whsec_` and the base64 of its random bytes. */
export const toSecret = (bytes: Uint8Array): string => PREFIX + Buffer.from(bytes).toString('base64')

/** The last characters of a secret, by which people recognise it. */
export const last4Of = (secret: string): string => secret.slice(-4)

export interface SignedMessage {
  /** `webhook-id`: the same on every attempt. */
  id: string
  /** `webhook-timestamp`: Unix seconds of this attempt. */
  timestamp: number
  body: string
}

/**
 * The value of `webhook-signature`: for each secret `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`,
 * separated by spaces. Throws without a secret: nothing is ever sent unsigned.
 */
export function signatureOf(secrets: readonly string[], message: SignedMessage): string {
  if (secrets.length === 0) throw new Error('a webhook without a secret')
  return secrets.map((secret) => `v1,${hmac(secret, message)}`).join(' ')
}

const hmac = (secret: string, { id, timestamp, body }: SignedMessage): string =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  if (!secret.startsWith(PREFIX) || key.length === 0) throw new Error('a signing secret of another form')
  return key
}
