/** How a part of a run goes. */
export interface Tally {
  /** Purchases that the store answered for. */
  checked: number
  /** Of them, those that were wrong here. */
  drifted: number
}

/** A part that checks fewer is too small to judge. */
export const BRAKE_MIN_CHECKED = 100
const BRAKE_PERCENT = 5

/**
 * Whether to stop (wire 5.5): more than 5 % of 100 or more differ. Then it is not a lost notification here and there:
 * either all of them are lost or an answer is misread, and somebody must look.
 */
export const isBraked = ({ checked, drifted }: Tally): boolean =>
  checked >= BRAKE_MIN_CHECKED && drifted * 100 > checked * BRAKE_PERCENT

/**
 * Whether all that are too small to be judged alone must stop together. One tenant that has to stop does not count: its
 * trouble must not keep the others waiting.
 */
export const isPoolBraked = (tallies: readonly Tally[]): boolean =>
  isBraked(tallies.filter((tally) => !isBraked(tally)).reduce(add, { checked: 0, drifted: 0 }))

const add = (a: Tally, b: Tally): Tally => ({ checked: a.checked + b.checked, drifted: a.drifted + b.drifted })
