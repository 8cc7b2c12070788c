import { DAY } from '../../../base/lib/clock'
import type { Money } from '../../../base/lib/money'
import type { Counts } from './posterior'

/** Purchases younger than this do not count for the refund guard: refunds come late. */
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
  /** Held out of every experiment; null when the project holds nobody out. Its exposures are the members counted. */
  holdout: GroupFacts | null
  /** Of those in `variants`, whose variant changed. */
  crossovers: number
  /** Exposed to a variant that was removed, and not drawn again yet: in no row, and as good as changed. */
  removed: number
}
