import { DAY } from '../../../base/lib/clock'
import type { Money } from '../../../base/lib/money'
import type { Counts } from './posterior'

/** Purchases younger than this do not count for the refund guard, because refunds come late. */
export const REVENUE_MATURES_MS = 7 * DAY

export interface GroupFacts extends Counts {
  revenue: Money
  /** Only purchases at least `REVENUE_MATURES_MS` old, and those of them that were refunded. */
  matured: { purchases: number; refunds: number }
}

export interface VariantFacts extends GroupFacts {
  variantId: string
  name: string
  weight: number
}

export interface ExperimentFacts {
  experimentId: string
  key: string
  status: 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'
  startedAt: number | null
  completedAt: number | null
  /** In declared order: the first is the control. */
  variants: readonly VariantFacts[]
  /**
   * Those held out of every experiment; null without a holdout in the project. Its `exposures` are the subscribers
   * counted.
   */
  holdout: GroupFacts | null
  /** How many subscribers in `variants` changed their variant. */
  crossovers: number
  /**
   * How many were exposed to a variant that was removed, and have not drawn again. They are in no row, and count as
   * changed.
   */
  removed: number
}
