export interface OwnershipQuestion {
  /** Project setting `purchaseTransfer`. */
  setting: 'whenAnonymous' | 'always' | 'never'
  /** The owner was created by a store notification; no device belongs to it. */
  ownerIsSynthetic: boolean
  ownerHasLabel: boolean
  /** The claimant proved to be the account that bought at the store (wire 5.6 row 3). */
  provesAccount: boolean
  /** The claimant is the owner. */
  sameSubscriber: boolean
}

export type OwnershipRule =
  | 'SAME_SUBSCRIBER'
  | 'ALWAYS_MOVES'
  | 'SYNTHETIC_OWNER'
  | 'PROVEN_ACCOUNT'
  | 'ANONYMOUS_OWNER'
  | 'OWNED_BY_ANOTHER'

export interface OwnershipDecision {
  /** `IN_USE` becomes the error RECEIPT_IN_USE. */
  result: 'SAME' | 'MOVE' | 'IN_USE'
  rule: OwnershipRule
}

/**
 * Whether a receipt or a restore moves the purchase to the subscriber who submits it: the first line of wire 5.6 that
 * matches.
 */
export function decideOwnership(question: OwnershipQuestion): OwnershipDecision {
  if (question.sameSubscriber) return { result: 'SAME', rule: 'SAME_SUBSCRIBER' }
  if (question.setting === 'always') return { result: 'MOVE', rule: 'ALWAYS_MOVES' }
  if (question.ownerIsSynthetic) return { result: 'MOVE', rule: 'SYNTHETIC_OWNER' }
  if (question.provesAccount) return { result: 'MOVE', rule: 'PROVEN_ACCOUNT' }
  const isFree = question.setting === 'whenAnonymous' && !question.ownerHasLabel
  return isFree ? { result: 'MOVE', rule: 'ANONYMOUS_OWNER' } : { result: 'IN_USE', rule: 'OWNED_BY_ANOTHER' }
}

/** How many subscribers can hold one family-shared chain at a time. */
export const MAX_FAMILY_HOLDERS = 6

/** Family-shared chains are never moved: each subscriber gets a purchase of their own, up to the limit. */
export const canHoldFamilyShare = (holders: number, isHolder: boolean): boolean =>
  isHolder || holders < MAX_FAMILY_HOLDERS
