import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { reconcile } from './run'

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

/** Hourly: asks the stores about purchases that they have been silent of. */
export const reconcileCron = [cronLine({ name: 'reconcile', pattern: '23 * * * *', job: reconcileAll })]
