import { givesAccess } from '../../../core/purchase/status'
import { effectiveEnd } from '../../../people/purchases/status'
import type { Pair } from './match'
import { type Comparison, type Difference, isLive, isSameInstant } from './model'
import { isComparable, isSameProduct, productText } from './products'
import { endText } from './text'

/** The findings so far about the accesses that a pair of purchases decides. */
export interface PairContext {
  /** The accesses of the pair were compared, or cannot be judged: only the state is left. */
  isCovered: boolean
  /** An access is only on one side because of this pair: that is the whole difference. */
  isOneSided: boolean
  /** The ends were found to differ. */
  hasOtherEnd: boolean
}

/** The differences of two purchases that are the same on both sides, besides those of the accesses. */
export function comparePair(comparison: Comparison, pair: Pair, context: PairContext): Difference[] {
  if (context.isOneSided) return []
  const state = compareState(comparison, pair, context)
  return context.isCovered ? state : [...comparePurchase(comparison, pair), ...state]
}

const named = ({ their, our }: Pair) => ({ identifier: productText(their), access: null, purchaseId: our.id })

function comparePurchase(comparison: Comparison, pair: Pair): Difference[] {
  const { their, our } = pair
  const name = named(pair)
  const differences: Difference[] = []
  const isProduct = !isComparable(their, our) || isSameProduct(comparison, their, our)
  const hasEnded = !isLive(their.end, comparison.theirs.at)
  if (!isProduct && hasEnded) return [] // Rule 10: the chain has another product here by now.
  if (!isProduct)
    differences.push({ ...name, kind: 'OTHER_PRODUCT', ours: our.state.storeProductId, theirs: productText(their) })
  if (their.store !== our.store)
    differences.push({ ...name, kind: 'OTHER_STORE', ours: our.store, theirs: their.storeName })
  const end = effectiveEnd(our.state)
  if (areEndsComparable(pair) && !isSameInstant(end, their.end))
    differences.push({ ...name, kind: 'OTHER_END', ours: endText(end), theirs: endText(their.end) })
  return differences
}

/** Not after a refund (rule 13), and not while or after a payment failed or a subscription paused (rules 15 and 16). */
function areEndsComparable({ their, our: { state } }: Pair): boolean {
  if (!their.isSubscription) return false
  const isReturned = their.isRefunded === true || state.refundedAt !== null || state.revokedAt !== null
  const hasTrouble = their.hasTrouble || state.billingTrouble !== 'NONE' || state.expiryReason === 'BILLING_ERROR'
  return !isReturned && !hasTrouble && !their.hasResumeDate && state.pausedAt === null
}

function compareState(comparison: Comparison, pair: Pair, context: PairContext): Difference[] {
  const parts = stateParts(comparison, pair, context).filter(({ ours, theirs }) => ours !== theirs)
  if (parts.length === 0) return []
  const text = (side: 'ours' | 'theirs') => parts.map((part) => `${part.name}: ${part[side]}`).join(', ')
  return [{ ...named(pair), kind: 'OTHER_STATE', ours: text('ours'), theirs: text('theirs') }]
}

interface Part {
  name: string
  ours: string
  theirs: string
}

const yesNo = (is: boolean): string => (is ? 'yes' : 'no')

/** The members of the state that both sides know. Times of noticing are compared by presence only (rule 12). */
function stateParts({ theirs: { at } }: Comparison, { their, our }: Pair, { hasOtherEnd }: PairContext): Part[] {
  const { state } = our
  const parts: Part[] = []
  const add = (name: string, theirs: boolean, ours: boolean) =>
    void parts.push({ name, ours: yesNo(ours), theirs: yesNo(theirs) })
  add('sandbox', their.isSandbox, our.environment === 'SANDBOX')
  if (their.ownership) parts.push({ name: 'ownership', ours: state.ownershipType, theirs: their.ownership })
  if (!their.isSubscription) return parts
  add('trial', their.isTrial, state.isTrial)
  add('introductory offer', their.isIntroOffer, state.isIntroOffer)
  const isReturned = state.refundedAt !== null || (their.isRefunded === true && state.revokedAt !== null)
  if (their.isRefunded !== null) add('refunded', their.isRefunded, isReturned)
  const areLive = isLive(their.end, at) && givesAccess(state.status)
  const areEnded = !isLive(their.end, at) && !givesAccess(state.status)
  if (areEnded && !isReturned) add('paused', their.hasResumeDate, state.status === 'PAUSED')
  if (!areLive || hasOtherEnd) return parts
  const hasTrouble = state.billingTrouble !== 'NONE'
  add('billing trouble', their.hasTrouble, hasTrouble)
  // Rule 17. A family share does not say whether the purchase that it comes from renews.
  const isRenewalKnown = !their.hasTrouble && !hasTrouble && their.ownership !== 'FAMILY_SHARED' && their.end !== null
  if (isRenewalKnown && state.expiresAt !== null) add('renews', !their.isUnsubscribed, state.autoRenews)
  return parts
}
