import type { Metric } from './metric'
import { mrr, mrrMovement } from './mrr'
import { proceeds } from './proceeds'
import { active, churn, refunds } from './purchases'
import { revenue } from './revenue'
import { trials } from './trials'

/** The metrics that follow from sums of entries. */
export const METRICS: readonly Metric[] = [mrr, mrrMovement, revenue, churn, trials, refunds, proceeds, active]

/** What a summary has the totals of. */
export const SUMMED: readonly Metric[] = [revenue, proceeds, mrr, active, churn, trials, refunds]
