import { Type } from '@sinclair/typebox'
import { actionCron } from './actions/jobs'
import type { Context } from './context'
import { eventCron } from './events/jobs'
import { forgetOldAnswers } from './http/idempotency'
import { createRegistry, cronLine, defineJob } from './jobs/registry'
import { Worker } from './jobs/worker'
import { describeError } from './lib/log'
import { notificationCron } from './notifications/jobs'
import { ConfigWatch } from './projects/config-watch'
import { flushKeyUse } from './projects/service'
import { androidAcknowledge } from './purchases/android-acknowledge'
import { purchaseCron } from './purchases/jobs'
import { refundAnswer } from './refund-shield/jobs'
import { flushPresence } from './subscribers/presence-flush'

const CONFIG_CHECK_MS = 1000
const PRESENCE_FLUSH_MS = 30_000
const KEY_USE_FLUSH_MS = 60_000

const forgetAnswers = defineJob({
  name: 'http.forget-answers',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: forgetOldAnswers,
})

/** Hourly: drops idempotency answers that are past their day. */
const httpCron = [cronLine({ name: 'forget-answers', pattern: '17 * * * *', job: forgetAnswers })]

const JOBS = [androidAcknowledge, refundAnswer]
const CRON = [...purchaseCron, ...actionCron, ...notificationCron, ...eventCron, ...httpCron]

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
    every(ctx, CONFIG_CHECK_MS, 'config watch', () => watch.check()),
    every(ctx, PRESENCE_FLUSH_MS, 'presence', () => flushPresence(ctx)),
    every(ctx, KEY_USE_FLUSH_MS, 'key use', () => flushKeyUse(ctx)),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await worker.stop()
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
