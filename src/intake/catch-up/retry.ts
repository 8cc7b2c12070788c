import type { Context } from '../../base/context'
import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { inParallel } from '../../base/lib/parallel'
import { listRetryDue } from '../inbox/service'
import { replayStoreEvent } from './replay'

/**
 * The wait after each failed attempt. A store posts again what was not answered with 2xx, but some stop within the
 * hour. After the last wait only a person can retry (`svc store-events replay`).
 */
export const RETRY_WAITS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY] as const

/** Longer than all waits together. */
const LOOK_BACK_MS = 4 * DAY
const BATCH = 100
const WIDTH = 4

/**
 * Processes again the failed notifications whose wait is over, and those whose lease expired, in the order of arrival;
 * returns how many.
 */
export async function retryStoreEvents(ctx: Context, isStopping = () => false): Promise<number> {
  const startedAt = ctx.clock.now()
  let tried = 0
  for (let found = BATCH; found === BATCH && !isStopping(); tried += found) {
    // A notification that fails again is due later than `startedAt`, so the loop ends.
    const ids = await listRetryDue(ctx, {
      now: startedAt,
      since: startedAt - LOOK_BACK_MS,
      limit: BATCH,
      waits: RETRY_WAITS_MS,
    })
    found = ids.length
    await inParallel(ids, WIDTH, async (id) => {
      if (!isStopping()) await replayStoreEvent(ctx, id)
    })
  }
  return tried
}
