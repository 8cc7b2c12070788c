import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs, SECOND } from '../../base/lib/clock'
import { sweepPurchases } from '../recording/sweep'
import { reconcile } from './run'

const sweep = defineJob({
  name: 'purchases.sweep',
  payload: Type.Object({}, { additionalProperties: false }),
  backoff: { baseMs: 5 * SECOND, capMs: MINUTE },
  handle: sweepPurchases,
})

/** Leaves time before the next run, which takes what this one left. */
const RECONCILE_MS = 50 * MINUTE
/** No tenant uses up the calls that the store grants its app, or the hour of the others. */
const RECONCILE_BUDGET = 30_000

const reconcileAll = defineJob({
  name: 'purchases.reconcile',
  payload: Type.Object({}, { additionalProperties: false }),
  handle(ctx, _payload, isStopping) {
    const until = monotonicMs() + RECONCILE_MS
    return reconcile(ctx, { budget: RECONCILE_BUDGET, isOver: () => isStopping() || monotonicMs() > until })
  },
})

export const purchaseCron = [
  /** Every minute: tells the expiries that the clock has brought since the last time. */
  cronLine({ name: 'purchase-sweep', pattern: '* * * * *', job: sweep }),
  /** Hourly: asks the stores about purchases that they have been silent of. */
  cronLine({ name: 'reconcile', pattern: '23 * * * *', job: reconcileAll }),
]
