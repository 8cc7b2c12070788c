import { reasonOf } from '../../base/cli/reason'
import { hasCode } from '../../base/db/errors'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import type { ForwardTarget } from './forward-to'
import type { Attempt } from './run'

/** As for a webhook endpoint (wire 5.10). */
const TIMEOUT_MS = 15 * SECOND
const MAX_BYTES = 16 * 1024

/** The receiver wants no other attempt. */
const GONE = 410

interface Message {
  headers: Record<string, string>
  body: string
}

/** Sends one event to the receiver. Never throws for a fault of the receiver. */
export async function post(target: ForwardTarget, message: Message, stop: AbortSignal): Promise<Attempt> {
  const startedAtMs = monotonicMs()
  const durationMs = () => Math.round(monotonicMs() - startedAtMs)
  const timeUp = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(target.url, {
      ...message,
      method: 'POST',
      redirect: 'manual',
      keepalive: false,
      signal: AbortSignal.any([timeUp, stop]),
      ...(target.isThisMachine && { tls: { rejectUnauthorized: false } }),
    })
    const text = await beginningOf(response)
    const error = response.ok ? null : toLine(text)
    const { status } = response
    return { statusCode: status, durationMs: durationMs(), error, isFinal: response.ok || status === GONE }
  } catch (error) {
    const reason = timeUp.aborted ? 'no answer in 15 s' : faultOf(error)
    return { statusCode: null, durationMs: durationMs(), error: reason, isFinal: false }
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of body ?? []) {
    parts.push(part)
    total += part.length
    if (total >= MAX_BYTES) break
  }
  return Buffer.concat(parts).toString()
}

const MAX_LINE = 200

/** What the receiver said, on one line, without characters that a terminal acts on. */
const toLine = (text: string): string =>
  text
    .slice(0, MAX_LINE)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim() || 'no text'

const faultOf = (error: unknown): string =>
  hasCode(error, (code) => code === 'ConnectionRefused' || code === 'ECONNREFUSED')
    ? 'nothing listens there'
    : toLine(reasonOf(error).replace(/\.$/, ''))
