import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { MINUTE, monotonicMs } from '../../base/lib/clock'
import { reconcile } from './run'

/** The time limit of a run. It ends before the next hourly run, which continues with the rest. */
const RECONCILE_MS = 50 * MINUTE
/** So that no project uses up the calls that the store allows its app, or the time of the other projects. */
const RECONCILE_BUDGET = 30_000

const reconcileAll = defineJob({
  name: 'purchases.reconcile',
  payload: Type.Object({}, { additionalProperties: false }),
  handle(ctx, _payload, isStopping) {
    const until = monotonicMs() + RECONCILE_MS
    return reconcile(ctx, { budget: RECONCILE_BUDGET, isOver: () => isStopping() || monotonicMs() > until })
  },
})

/** Hourly: queries the stores about purchases without a recent report. */
export const reconcileCron = [cronLine({ name: 'reconcile', pattern: '23 * * * *', job: reconcileAll })]
