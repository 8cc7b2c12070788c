import { DAY, MINUTE, SECOND } from '../../../base/lib/clock'
import type { Entitlement } from '../../../people/entitlements/compute'
import {
  type Comparison,
  type Difference,
  isLive,
  isSameInstant,
  type OurPurchase,
  type OurSide,
  type TheirEntitlement,
  type TheirPurchase,
} from './model'
import { isComparable, isSameProduct, productText, purchaseBehind } from './products'
import { endText, NO_ACCESS, ourAccessText, theirAccessText } from './text'

/** An access that was compared, with the purchases that decide it on each side. */
export interface ComparedAccess {
  identifier: string
  their: TheirPurchase | null
  ourId: string | null
  differences: Difference[]
}

export interface AccessOutcome {
  compared: ComparedAccess[]
  /** Purchases whose access cannot be judged now. */
  undecided: { their: TheirPurchase[]; ourIds: string[] }
  tooCloseUntil: number | null
  temporary: string[]
  otherStores: string[]
}

/** An end this close to the reading is not judged: the two services were not read at the same instant. */
const CLOSE_MS = 5 * SECOND

/** Their clock is believed to show the same time as ours within this; otherwise only their own instant counts. */
const SAME_CLOCK_MS = MINUTE

/** Compares the accesses that are live on either side at the instant of their answer (rule 3). */
export function compareAccess(comparison: Comparison, ours: OurSide): AccessOutcome {
  const { theirs } = comparison
  const outcome: AccessOutcome = {
    ...{ compared: [], undecided: { their: [], ourIds: [] } },
    ...{ tooCloseUntil: null, temporary: [], otherStores: [] },
  }
  const there = new Map(theirs.entitlements.map((entitlement) => [entitlement.identifier, entitlement]))
  const here = new Map(ours.entitlements.map((entitlement) => [entitlement.access, entitlement]))
  for (const identifier of new Set([...there.keys(), ...here.keys()])) {
    const sides = sidesOf(comparison, there.get(identifier) ?? null, here.get(identifier) ?? null)
    if (mayJudge(comparison, sides, outcome)) outcome.compared.push(compareOne(comparison, ours, identifier, sides))
    else setAside(outcome, sides)
  }
  return outcome
}

interface Sides {
  /** Also when it has ended. */
  entitlement: TheirEntitlement | null
  isLiveThere: boolean
  their: TheirPurchase | null
  our: Entitlement | null
}

function sidesOf({ theirs }: Comparison, entitlement: TheirEntitlement | null, our: Entitlement | null): Sides {
  const their = entitlement && purchaseBehind(entitlement, theirs.purchases)
  return { entitlement, isLiveThere: entitlement !== null && isLive(entitlement.end, theirs.at), their, our }
}

function mayJudge(comparison: Comparison, sides: Sides, outcome: AccessOutcome): boolean {
  const { entitlement, isLiveThere, their, our } = sides
  if (!isLiveThere && our?.isActive !== true && !isEndClose(comparison, sides)) return true
  if (isLiveThere && their?.isSandbox && comparison.skipSandbox) return false
  if (isLiveThere && their !== null && their.store === null) {
    outcome.otherStores.push(their.storeName)
    return false
  }
  if (entitlement && isLiveThere && their === null && isTemporary(entitlement, comparison.theirs.at)) {
    outcome.temporary.push(entitlement.identifier)
    return false
  }
  const until = closeUntil(comparison, sides)
  if (until === null) return true
  outcome.tooCloseUntil = Math.max(until, outcome.tooCloseUntil ?? until)
  return false
}

/** Rule 22. */
const isTemporary = ({ end }: TheirEntitlement, at: number): boolean => end !== null && end - at <= DAY

const isEndClose = (comparison: Comparison, sides: Sides): boolean => closeUntil(comparison, sides) !== null

/** Rule 4: until when one of the ends is too close to judge it. */
function closeUntil({ theirs: { at }, readAt }: Comparison, { entitlement, our }: Sides): number | null {
  const other = Math.abs(readAt - at) <= SAME_CLOCK_MS ? readAt : at
  const from = Math.min(at, other) - CLOSE_MS
  const to = Math.max(at, other) + CLOSE_MS
  const ends = [entitlement?.end ?? null, our?.expiresAt ?? null]
  const close = ends.filter((end): end is number => end !== null && end >= from && end <= to)
  return close.length === 0 ? null : Math.max(...close) + CLOSE_MS
}

function setAside({ undecided }: AccessOutcome, { their, our }: Sides): void {
  if (their) undecided.their.push(their)
  if (our) undecided.ourIds.push(our.purchaseId)
}

function compareOne(comparison: Comparison, ours: OurSide, identifier: string, sides: Sides): ComparedAccess {
  const { entitlement, isLiveThere, their } = sides
  const our = sides.our?.isActive === true ? sides.our : null
  const there = isLiveThere ? entitlement : null
  const name = { identifier, access: identifier, purchaseId: our?.purchaseId ?? null }
  const compared = { identifier, their: there && their, ourId: our?.purchaseId ?? null }
  if (there && our) return { ...compared, differences: compareBoth(comparison, ours, { there, their, our }) }
  if (there)
    return {
      ...compared,
      differences: [{ ...name, kind: 'ACCESS_ONLY_THERE', ours: NO_ACCESS, theirs: theirAccessText(there, their) }],
    }
  if (our)
    return {
      ...compared,
      differences: [{ ...name, kind: 'ACCESS_ONLY_HERE', ours: ourAccessText(our), theirs: NO_ACCESS }],
    }
  return { ...compared, differences: [] }
}

interface Both {
  there: TheirEntitlement
  their: TheirPurchase | null
  our: Entitlement
}

function compareBoth(comparison: Comparison, ours: OurSide, both: Both): Difference[] {
  const { there, their, our } = both
  const name = { identifier: our.access, access: our.access, purchaseId: our.purchaseId }
  const purchases = candidates(ours, both)
  const [deciding] = purchases
  const differences: Difference[] = []
  if (!isSameInstant(there.end, our.expiresAt) && !(deciding && their && isPaymentTrouble(their, deciding)))
    differences.push({ ...name, kind: 'OTHER_END', ours: endText(our.expiresAt), theirs: endText(there.end) })
  if (!their) return differences
  const ofStore = purchases.filter(({ store }) => store === their.store)
  if (ofStore.length === 0) differences.push({ ...name, kind: 'OTHER_STORE', ours: our.store, theirs: their.storeName })
  const rest = ofStore.length === 0 ? purchases : ofStore
  if (!isGrant(their) && !rest.some((one) => mayBeProduct(comparison, their, one)))
    differences.push({
      ...{ ...name, kind: 'OTHER_PRODUCT', ours: rest[0]?.state.storeProductId ?? our.productIdentifier },
      theirs: productText(their),
    })
  return differences
}

/** Rule 11: the deciding purchase, and others that give the access until the same end as theirs. */
function candidates({ purchases }: OurSide, { there, our }: Both): OurPurchase[] {
  const isCandidate = new Set(
    our.candidates
      .filter(({ grants, effectiveEnd }) => grants && isSameInstant(effectiveEnd, there.end))
      .map(({ purchaseId }) => purchaseId),
  )
  const deciding = purchases.filter(({ id }) => id === our.purchaseId)
  return [...deciding, ...purchases.filter(({ id }) => id !== our.purchaseId && isCandidate.has(id))]
}

/** Rule 6: a grant has no product of a store. */
const isGrant = ({ store }: TheirPurchase): boolean => store === 'MANUAL'

const mayBeProduct = (comparison: Comparison, their: TheirPurchase, our: OurPurchase): boolean =>
  (our.store === 'MANUAL' && our.productId === null) ||
  !isComparable(their, our) ||
  isSameProduct(comparison, their, our)

/** Rule 16: during trouble with a payment each service has its own length of grace. */
const isPaymentTrouble = (their: TheirPurchase, { store, state }: OurPurchase): boolean =>
  store === 'PAYMENT' && their.store === 'PAYMENT' && their.hasTrouble && state.billingTrouble !== 'NONE'
