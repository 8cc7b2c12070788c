/** The counts of one store run: a project's purchases at one store, in one environment. */
export interface Tally {
  /** Purchases that the store answered for. */
  checked: number
  /** Those of them that differed from the store's answer. */
  drifted: number
}

/** Fewer checked purchases are too few to judge. */
export const MIN_CHECKED = 100
const DRIFT_PERCENT = 5

/**
 * Whether a store run must stop (wire 5.5): at least 100 purchases were checked and more than 5 % of them differ.
 * Single lost notifications do not explain that. Either all notifications are lost or answers are read wrongly, and a
 * person must check. Each place has its own count, so that a project without notifications does not stop the others.
 */
export const isOverDriftLimit = ({ checked, drifted }: Tally): boolean =>
  checked >= MIN_CHECKED && drifted * 100 > checked * DRIFT_PERCENT
