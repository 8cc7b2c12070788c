export interface OwnershipQuestion {
  /** Project setting `purchaseTransfer`. */
  setting: 'whenAnonymous' | 'always' | 'never'
  /** Made by a store notification; no device ever used it. */
  ownerIsSynthetic: boolean
  ownerHasLabel: boolean
  /** The claimant proves to be the account that the store sold to (wire 5.6 row 3). */
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
  /** `IN_USE` is answered with RECEIPT_IN_USE. */
  result: 'SAME' | 'MOVE' | 'IN_USE'
  rule: OwnershipRule
}

/** Whether a receipt or a restore moves the purchase to the subscriber who shows it: wire 5.6, first line that holds. */
export function decideOwnership(question: OwnershipQuestion): OwnershipDecision {
  if (question.sameSubscriber) return { result: 'SAME', rule: 'SAME_SUBSCRIBER' }
  if (question.setting === 'always') return { result: 'MOVE', rule: 'ALWAYS_MOVES' }
  if (question.ownerIsSynthetic) return { result: 'MOVE', rule: 'SYNTHETIC_OWNER' }
  if (question.provesAccount) return { result: 'MOVE', rule: 'PROVEN_ACCOUNT' }
  const isFree = question.setting === 'whenAnonymous' && !question.ownerHasLabel
  return isFree ? { result: 'MOVE', rule: 'ANONYMOUS_OWNER' } : { result: 'IN_USE', rule: 'OWNED_BY_ANOTHER' }
}

/** How many subscribers hold one family-shared chain at a time. */
export const MAX_FAMILY_HOLDERS = 6

/** Family-shared chains never move: each subscriber gets a purchase of their own, while there is room. */
export const canHoldFamilyShare = (holders: number, isHolder: boolean): boolean =>
  isHolder || holders < MAX_FAMILY_HOLDERS
