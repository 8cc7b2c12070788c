import type { Context } from './context'
import { describeError } from './lib/log'
import { ConfigWatch } from './projects/config-watch'
import { flushPresence } from './subscribers/presence-flush'

const CONFIG_CHECK_MS = 1000
const PRESENCE_FLUSH_MS = 30_000

export interface Background {
  stop(): Promise<void>
}

/** The loops of a serving process beside the job worker (wire 5.18). */
export function startBackground(ctx: Context): Background {
  const watch = new ConfigWatch(ctx, (projectId) => {
    ctx.projects.forget(projectId)
    ctx.keys.forget(projectId)
  })
  const timers = [
    every(ctx, CONFIG_CHECK_MS, 'config watch', () => watch.check()),
    every(ctx, PRESENCE_FLUSH_MS, 'presence', () => flushPresence(ctx)),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await flushPresence(ctx).catch((error) =>
        ctx.log.warn('last-seen times were not written', { error: describeError(error) }),
      )
    },
  }
}

/** Runs work now and then, never twice at once; trouble is logged and the next turn tries again. */
function every(ctx: Context, ms: number, name: string, work: () => Promise<void>): ReturnType<typeof setInterval> {
  let isRunning = false
  return setInterval(() => {
    if (isRunning) return
    isRunning = true
    work()
      .catch((error) => ctx.log.warn('a background turn failed', { name, error: describeError(error) }))
      .finally(() => {
        isRunning = false
      })
  }, ms)
}
