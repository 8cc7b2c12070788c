/** How a run goes at one place: a project's purchases at one store, in one environment. */
export interface Tally {
  /** Purchases that the store answered for. */
  checked: number
  /** Of them, those that were wrong here. */
  drifted: number
}

/** Fewer say too little. */
export const MIN_CHECKED = 100
const DRIFT_PERCENT = 5

/**
 * Whether to stop (wire 5.5): more than 5 % of 100 or more differ. Then it is not a lost notification here and there:
 * either all of them are lost or an answer is misread, and somebody must look. Each place is compared alone, for a tenant
 * whose notifications never come must not keep the others waiting.
 */
export const isOverDriftLimit = ({ checked, drifted }: Tally): boolean =>
  checked >= MIN_CHECKED && drifted * 100 > checked * DRIFT_PERCENT
