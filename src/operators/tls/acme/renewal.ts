import { HOUR } from '../../../base/lib/clock'
import type { Directory } from './client'
import { readRetryAfter } from './problem'
import { type CallParts, callOnce, objectOf } from './transport'

/** When an authority wants a certificate to be renewed. Instants are milliseconds. */
export interface RenewalWindow {
  start: number
  end: number
  /** When to ask again. */
  askAgainAt: number
}

/** How often renewal information is asked for (RFC 9773, 4.3.3: unless the authority says otherwise). */
export const ASK_EVERY_MS = 6 * HOUR

/** Null when the authority has no such information. Throws an `AcmeError` when it does not answer. */
export async function readRenewal(
  parts: CallParts,
  { renewalInfo }: Pick<Directory, 'renewalInfo'>,
  id: string,
): Promise<RenewalWindow | null> {
  if (renewalInfo === null) return null
  const answer = await callOnce(parts, `${renewalInfo.replace(/\/$/, '')}/${id}`)
  const now = parts.now()
  const window = (objectOf(answer, now).suggestedWindow ?? {}) as Record<string, unknown>
  const [start, end] = [Date.parse(String(window.start)), Date.parse(String(window.end))]
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start) return null
  const askedMs = readRetryAfter(answer.headers.get('retry-after'), now) ?? ASK_EVERY_MS
  return { start, end, askAgainAt: now + Math.min(24 * HOUR, Math.max(HOUR / 60, askedMs)) }
}
