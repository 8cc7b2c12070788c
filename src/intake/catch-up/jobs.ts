import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { catchUpWithStores } from './catch-up'
import { retryStoreEvents } from './retry'

const retry = defineJob({
  name: 'notifications.retry',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: (ctx, _payload, isStopping) => retryStoreEvents(ctx, isStopping),
})

/** The time limit of a run. It ends before the next hourly run, which continues with the rest. */
const CATCH_UP_MS = 50 * MINUTE

const catchUp = defineJob({
  name: 'notifications.catch-up',
  payload: Type.Object({}, { additionalProperties: false }),
  handle(ctx, _payload, isStopping) {
    const until = monotonicMs() + CATCH_UP_MS
    return catchUpWithStores(ctx, () => isStopping() || monotonicMs() > until)
  },
})

export const notificationCron = [
  /** Every minute: processes failed notifications again. */
  cronLine({ name: 'retry-store-events', pattern: '* * * * *', job: retry }),
  /** Hourly: processes the notifications in the stores' histories that never arrived here. */
  cronLine({ name: 'catch-up', pattern: '53 * * * *', job: catchUp }),
]
