import type { Driver } from './base/db/handle'
import { createRegistry } from './base/jobs/registry'
import { Worker } from './base/jobs/worker'
import { describeError } from './base/lib/log'
import type { Context } from './create-context'
import { flushPresence } from './people/subscribers/presence-flush'
import { ConfigWatch } from './projects/project/config-watch'
import { flushKeyUse } from './projects/project/service'
import { streamsOf } from './targeting/remote-config/stream/hub'
import { deliverWaiting } from './test-store/service/deliver'
import { CRON, JOBS } from './work'

/** How often the version of all configuration is read, which is one row; a remote libSQL server may count reads. */
const CONFIG_CHECK_MS: Record<Driver, number> = { file: 100, postgres: 250, replica: 1000, remote: 1000 }
/** Half of what is promised, so that the write itself has time (wire 5.4). */
const ASSIGNMENT_FLUSH_MS = 500
const PRESENCE_FLUSH_MS = 30_000
const KEY_USE_FLUSH_MS = 60_000
const STREAM_PING_MS = 25_000
const STREAM_KEYS_MS = 1000
const TEST_STORE_MS = 2000

export interface Background {
  stop(): Promise<void>
}

/** The job worker with every cron line, and the loops that tend to this process's own memory (wire 5.18). */
export function startBackground(ctx: Context): Background {
  const watch = new ConfigWatch(ctx, (projectId) => {
    ctx.projects.forget(projectId)
    ctx.keys.forget(projectId)
  })
  const worker = new Worker(ctx, createRegistry(JOBS, CRON))
  worker.start()
  const timers = [
    every(ctx, CONFIG_CHECK_MS[ctx.storage.driver], 'config watch', () => watch.check()),
    every(ctx, ASSIGNMENT_FLUSH_MS, 'assignments', () => ctx.assignments.flush()),
    every(ctx, PRESENCE_FLUSH_MS, 'presence', () => flushPresence(ctx)),
    every(ctx, KEY_USE_FLUSH_MS, 'key use', () => flushKeyUse(ctx)),
    every(ctx, STREAM_PING_MS, 'stream pings', () => streamsOf(ctx).ping()),
    every(ctx, STREAM_KEYS_MS, 'stream keys', () => streamsOf(ctx).checkKeys()),
    ...(ctx.config.isSimulatorOn ? [every(ctx, TEST_STORE_MS, 'test store', () => deliverWaiting(ctx))] : []),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await worker.stop()
      await ctx.assignments.close()
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
