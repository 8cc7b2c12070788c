import type { Context } from './base/context'
import { createRegistry } from './base/jobs/registry'
import { Worker } from './base/jobs/worker'
import { describeError } from './base/lib/log'
import type { Loop, Slice } from './base/slice'
import { SLICES } from './slices'

export interface Background {
  stop(): Promise<void>
}

/** Starts the job worker with every cron line, and the loops of the slices (wire 5.18). */
export function startBackground(ctx: Context, slices: readonly Slice[] = SLICES): Background {
  const worker = new Worker(ctx, registryOf(slices))
  worker.start()
  const loops = slices.flatMap((one) => one.loops ?? []).filter(({ isOn }) => isOn?.(ctx.config) ?? true)
  const timers = loops.map((loop) => repeat(ctx, loop))
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await worker.stop()
      for (const loop of loops) await endLoop(ctx, loop)
    },
  }
}

/** Every job of the slices, also those that only a cron line enqueues. */
export const registryOf = (slices: readonly Slice[]) =>
  createRegistry(
    slices.flatMap(({ jobs }) => jobs ?? []),
    slices.flatMap(({ cron }) => cron ?? []),
  )

/** Runs a loop's work at its interval, never twice at the same time. A failure is logged; the next run tries again. */
function repeat(ctx: Context, { name, everyMs, isRunAtStart = false, run }: Loop): ReturnType<typeof setInterval> {
  let isRunning = false
  const once = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    try {
      await run(ctx)
    } catch (error) {
      ctx.log.warn('a background task failed', { name, error: describeError(error) })
    } finally {
      isRunning = false
    }
  }
  if (isRunAtStart) void once()
  return setInterval(() => void once(), typeof everyMs === 'number' ? everyMs : everyMs[ctx.storage.driver])
}

async function endLoop(ctx: Context, { name, end }: Loop): Promise<void> {
  try {
    await end?.(ctx)
  } catch (error) {
    ctx.log.warn('a background task did not end well', { name, error: describeError(error) })
  }
}
