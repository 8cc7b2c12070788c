import type { Chart } from '../chart'
import { arr } from '../list/arr'
import { mrr } from '../list/mrr'
import { mrrChurn } from '../list/mrr-churn'
import { mrrChurnRate } from '../list/mrr-churn-rate'
import { mrrContraction } from '../list/mrr-contraction'
import { mrrExpansion } from '../list/mrr-expansion'
import { mrrGrowthRate } from '../list/mrr-growth-rate'
import { mrrMovement } from '../list/mrr-movement'
import { mrrNetChange } from '../list/mrr-net-change'
import { mrrNew } from '../list/mrr-new'
import { mrrPerSubscription } from '../list/mrr-per-subscription'
import { mrrReactivation } from '../list/mrr-reactivation'
import { quickRatio } from '../list/quick-ratio'

/** Of monthly recurring revenue. */
export const RECURRING: readonly Chart[] = [
  mrr,
  mrrMovement,
  mrrNew,
  mrrReactivation,
  mrrExpansion,
  mrrContraction,
  mrrChurn,
  mrrNetChange,
  mrrChurnRate,
  mrrGrowthRate,
  quickRatio,
  arr,
  mrrPerSubscription,
]
