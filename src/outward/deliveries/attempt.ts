import type { Context } from '../../base/context'
import { monotonicMs, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import type { EventRow } from '../../people/events/feed'
import type { Claim } from './claim'
import { type GuardedCall, kindOf } from './kinds'
import type { AttemptResult, OpenDelivery } from './model'
import type { DeliveryRow } from './queries'
import type { Ended } from './record'

/** For all calls of an attempt together (wire 5.10). */
const TIMEOUT_MS = 15 * SECOND
const ANSWER_BYTES = 16 * 1024

/** Makes the attempt of a claimed delivery. Never throws. */
export async function attempt(ctx: Context, claim: Claim, event: EventRow | null): Promise<Ended> {
  const startedAt = ctx.clock.now()
  const since = monotonicMs()
  const result = await resultOf(ctx, claim.row, event)
  return { claim, result, startedAt, durationMs: monotonicMs() - since }
}

export const toOpenDelivery = (row: DeliveryRow, event: EventRow | null): OpenDelivery => ({
  id: row.id,
  kind: row.kind,
  projectId: row.projectId,
  targetId: row.targetId,
  type: row.type,
  subscriberId: row.subscriberId,
  isTest: row.isTest,
  attempt: row.attempts + 1,
  event,
  eventId: row.eventId,
  payload: row.payload,
})

async function resultOf(ctx: Context, row: DeliveryRow, event: EventRow | null): Promise<AttemptResult> {
  if (row.eventPosition !== null && event === null) return { kind: 'dead', reason: 'event_expired' }
  try {
    return await kindOf(ctx, row.kind).attempt(ctx, toOpenDelivery(row, event), guardedCall(ctx))
  } catch (error) {
    // One delivery that cannot be made must not keep the others from being sent.
    ctx.log.error('a delivery could not be made', { delivery: row.id, type: row.type, error: describeError(error) })
    return { kind: 'fault', reason: 'internal' }
  }
}

function guardedCall({ state: { outgoing } }: Context): GuardedCall {
  const until = monotonicMs() + TIMEOUT_MS
  return async (url, init) => {
    const timeoutMs = Math.max(1, Math.round(until - monotonicMs()))
    const answer = await outgoing.call(url, init, { timeoutMs, maxBytes: ANSWER_BYTES, isCut: true })
    if (!answer.ok) return { kind: 'fault', reason: answer.reason }
    return { kind: 'answer', status: answer.status, headers: answer.headers, body: answer.body }
  }
}
