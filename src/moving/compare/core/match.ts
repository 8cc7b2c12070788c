import { splitAndroidId } from '../../../stores/android/purchase-id'
import { type Comparison, isLive, isSameInstant, type OurPurchase, type TheirPurchase, transactionKey } from './model'
import { isSameProduct } from './products'

export interface Pair {
  their: TheirPurchase
  our: OurPurchase
}

export interface Matches {
  pairs: Pair[]
  onlyThere: TheirPurchase[]
  onlyHere: OurPurchase[]
}

type Test = (their: TheirPurchase, our: OurPurchase) => boolean

/**
 * Which purchases are the same on both sides: by store and transaction, then by store, product and start, then by the
 * product alone. Grants are not matched: they have no transaction, and are compared by the access that they give.
 */
export function matchPurchases(comparison: Comparison, ours: readonly OurPurchase[]): Matches {
  const left: Matches = {
    pairs: [],
    onlyThere: comparison.theirs.purchases.filter(({ store }) => store !== null && store !== 'MANUAL'),
    // Of several of a product, the latest one is compared.
    onlyHere: ours
      .filter(({ store }) => store !== 'MANUAL')
      .sort((a, b) => b.state.purchaseDate - a.state.purchaseDate),
  }
  const isStore: Test = (their, our) => their.store === our.store
  const isProduct: Test = (their, our) => isSameProduct(comparison, their, our)
  const isStart: Test = (their, our) => isSameInstant(their.start, our.state.purchaseDate)
  pairUp(left, (their, our) => isStore(their, our) && their.transactionId === our.state.storeTransactionId)
  pairUp(left, (their, our) => isStore(their, our) && their.transactionId === our.originalTransactionId)
  pairUp(left, (their, our) => isStore(their, our) && isProduct(their, our) && isStart(their, our))
  pairUp(left, (their, our) => their.transactionId === our.state.storeTransactionId)
  pairFound(left, comparison)
  pairUp(
    left,
    (their, our) => isStore(their, our) && isProduct(their, our) && isOneOfItsKind(left, their, our, isProduct),
  )
  pairUp(left, (their, our) => isProduct(their, our) && isOneOfItsKind(left, their, our, isProduct))
  return withoutExpected(left, comparison, ours)
}

/**
 * A purchase and its family shares have the same key: of several, the one with the same ownership is compared.
 */
function pairUp(left: Matches, isSame: Test): void {
  for (const their of [...left.onlyThere]) {
    const candidates = left.onlyHere.filter((our) => isSame(their, our))
    const our = candidates.find(({ state }) => state.ownershipType === their.ownership) ?? candidates[0]
    if (our) take(left, their, our)
  }
}

function take(left: Matches, their: TheirPurchase, our: OurPurchase): void {
  left.pairs.push({ their, our })
  left.onlyThere = left.onlyThere.filter((one) => one !== their)
  left.onlyHere = left.onlyHere.filter((one) => one !== our)
}

/** An earlier transaction of a chain that this person owns. */
function pairFound(left: Matches, { found }: Comparison): void {
  for (const their of [...left.onlyThere]) {
    const hit = found.get(transactionKey(their))
    const our = hit?.owner === null ? left.onlyHere.find(({ id }) => id === hit.purchase.id) : undefined
    if (our) take(left, their, our)
  }
}

/**
 * A subscription has one entry for each product there. One-time purchases are listed one by one: the product alone says
 * which is which only when there is one on each side and a transaction is not known.
 */
function isOneOfItsKind(left: Matches, their: TheirPurchase, our: OurPurchase, isProduct: Test): boolean {
  if (their.isSubscription) return our.state.productType === 'SUBSCRIPTION' || our.state.expiresAt !== null
  const isNamed = their.transactionId !== null && our.store !== 'PAYMENT' && their.store !== 'PAYMENT'
  if (isNamed) return false
  const there = left.onlyThere.filter((one) => !one.isSubscription && one.product === their.product)
  return there.length === 1 && left.onlyHere.filter((one) => isProduct(their, one)).length === 1
}

function withoutExpected({ pairs, ...left }: Matches, comparison: Comparison, ours: readonly OurPurchase[]): Matches {
  return {
    pairs,
    onlyThere: left.onlyThere.filter((their) => !isEarlierProduct(their, comparison, ours)),
    onlyHere: left.onlyHere.filter((our) => !isEarlierPurchase(our, ours) && !isRefundedOnce(our)),
  }
}

/**
 * Rule 10: an App Store chain that changed its product has an entry for each product there, and is one purchase here.
 */
function isEarlierProduct(their: TheirPurchase, { theirs, found }: Comparison, ours: readonly OurPurchase[]): boolean {
  if (isLive(their.end, theirs.at)) return false
  if (found.get(transactionKey(their))?.owner === null) return true
  const isChain = ({ store, state }: OurPurchase) =>
    store === 'IOS_STORE' &&
    their.originalStart !== null &&
    isSameInstant(state.originalPurchaseDate, their.originalStart)
  return their.store === 'IOS_STORE' && their.isSubscription && ours.some(isChain)
}

/** Rule 9: of several subscriptions to one product only the latest has an entry there. */
const isEarlierPurchase = (our: OurPurchase, ours: readonly OurPurchase[]): boolean =>
  isSubscription(our) &&
  ours.some(
    (other) =>
      other.id !== our.id &&
      other.store === our.store &&
      isSubscription(other) &&
      productOf(other) === productOf(our) &&
      other.state.purchaseDate >= our.state.purchaseDate,
  )

const isSubscription = ({ state }: OurPurchase): boolean => state.productType === 'SUBSCRIPTION'
const productOf = ({ state }: OurPurchase): string => splitAndroidId(state.storeProductId).productId

/** Whether a refunded one-time purchase stays listed there is not known. */
const isRefundedOnce = (our: OurPurchase): boolean =>
  !isSubscription(our) && (our.state.refundedAt !== null || our.state.revokedAt !== null)
