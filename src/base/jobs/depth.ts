import type { Context } from '../context'
import { monotonicMs } from '../lib/clock'
import { countByState } from './queries'

const STATES = ['WAITING', 'RUNNING', 'DEAD'] as const
const SHARE_OF_TIME = 0.01

/** Counts the rows and sets the metric for the depth of the queue. */
export async function measureDepth(ctx: Context): Promise<void> {
  const depths = await countByState(ctx)
  for (const state of STATES) ctx.metrics.outboxDepth.set({ state }, depths.get(state) ?? 0)
}

/**
 * Measures at every call while counting is fast, and a long queue less often, so that counting takes 1 % of the time.
 */
export class DepthMeter {
  private nextAtMs = 0

  async measure(ctx: Context): Promise<void> {
    const startedAtMs = monotonicMs()
    if (startedAtMs < this.nextAtMs) return
    await measureDepth(ctx)
    const endedAtMs = monotonicMs()
    this.nextAtMs = endedAtMs + (endedAtMs - startedAtMs) / SHARE_OF_TIME
  }
}
