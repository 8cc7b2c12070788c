import { effectiveEnd } from '../../../people/purchases/status'
import { type AccessOutcome, compareAccess } from './access'
import { type Matches, matchPurchases, type Pair } from './match'
import {
  type Comparison,
  type Difference,
  isLive,
  type OurPurchase,
  type OurSide,
  type Outcome,
  type TheirPurchase,
  transactionKey,
} from './model'
import { comparePair } from './pairs'
import { productText } from './products'
import { NO_PURCHASE, ourAccessText, ourPurchaseText, theirPurchaseText } from './text'

/**
 * What differs between the two services about one person, after everything that is expected to differ. One cause is one
 * difference: a missing purchase whose access is missing too is reported as the access.
 */
export function compare(comparison: Comparison): Outcome {
  const { ours, isNewThere } = comparison
  if (ours === null) return outcomeOf(unknownHere(comparison))
  if (isNewThere) return outcomeOf(unknownThere(comparison, ours))
  const access = compareAccess(comparison, ours)
  const matches = matchPurchases(comparison, ours.purchases)
  const { tooCloseUntil, temporary } = access
  const missing = matches.onlyThere.filter((their) => counts(comparison, their.isSandbox))
  const strange = comparison.theirs.purchases.filter(({ store }) => store === null).map(({ storeName }) => storeName)
  return {
    differences: allDifferences(comparison, access, { ...matches, onlyThere: missing }),
    missing: missing.filter(({ transactionId }) => transactionId !== null),
    tooCloseUntil,
    temporary,
    otherStores: [...new Set([...access.otherStores, ...strange])],
  }
}

const outcomeOf = (differences: Difference[]): Outcome => ({
  ...{ differences, missing: [], tooCloseUntil: null, temporary: [], otherStores: [] },
})

/** Rule 8. */
const counts = ({ skipSandbox }: Comparison, isSandbox: boolean): boolean => !isSandbox || !skipSandbox

/** Rule 27: everything of theirs is empty. That is a difference only where something is here. */
function unknownThere(comparison: Comparison, { entitlements, purchases }: OurSide): Difference[] {
  const live = entitlements.filter(({ isActive }) => isActive)
  const bought = purchases.filter(
    ({ store, environment }) => store !== 'MANUAL' && counts(comparison, environment === 'SANDBOX'),
  )
  if (live.length === 0 && bought.length === 0) return []
  const parts =
    live.length > 0
      ? live.map((one) => `${one.access} ${ourAccessText(one)}`)
      : bought.map((one) => ourPurchaseText(one, effectiveEnd(one.state)))
  const [first] = live
  return [
    {
      ...{ kind: 'PERSON_UNKNOWN_THERE', identifier: '', ours: parts.join('; '), theirs: 'unknown' },
      ...{ access: first?.access ?? null, purchaseId: first?.purchaseId ?? bought[0]?.id ?? null },
    },
  ]
}

function unknownHere(comparison: Comparison): Difference[] {
  const { entitlements, purchases, at } = comparison.theirs
  const live = entitlements.filter(({ end }) => isLive(end, at)).map(({ identifier }) => identifier)
  const bought = purchases.filter(({ isSandbox }) => counts(comparison, isSandbox)).map(theirPurchaseText)
  const parts = live.length > 0 ? live : bought
  if (parts.length === 0) return []
  return [
    {
      ...{ kind: 'PERSON_UNKNOWN_HERE', identifier: '', ours: 'unknown', theirs: parts.join('; ') },
      ...{ access: null, purchaseId: null },
    },
  ]
}

function allDifferences(comparison: Comparison, access: AccessOutcome, matches: Matches): Difference[] {
  const { onlyThere, onlyHere, pairs } = matches
  const moved = onlyThere.flatMap((their) => ownerDifference(comparison, their))
  const movedThere = new Set(moved.map(({ their }) => their))
  const explained = access.compared.filter(({ their }) => their === null || !movedThere.has(their))
  const differing = explained.filter(({ differences }) => differences.length > 0)
  const seenThere = new Set<TheirPurchase | null>([...differing.map(({ their }) => their), ...access.undecided.their])
  const seenHere = new Set([...differing.map(({ ourId }) => ourId), ...access.undecided.ourIds])
  const isNewsThere = (their: TheirPurchase) => !movedThere.has(their) && !seenThere.has(their)
  const isNewsHere = ({ id, environment }: OurPurchase) =>
    !seenHere.has(id) && counts(comparison, environment === 'SANDBOX')
  return [
    ...explained.flatMap(({ differences }) => differences),
    ...moved.map(({ difference }) => difference),
    ...onlyThere.filter(isNewsThere).map(onlyThereDifference),
    ...onlyHere.filter(isNewsHere).map(onlyHereDifference),
    ...pairs.flatMap((pair) => pairDifferences(comparison, access, pair)),
  ]
}

/** Rule 18: the purchase is in the project, and belongs to another person. Each member of a family has a share. */
function ownerDifference(
  { found }: Comparison,
  their: TheirPurchase,
): { their: TheirPurchase; difference: Difference }[] {
  const hit = found.get(transactionKey(their))
  if (!hit || hit.owner === null || their.ownership === 'FAMILY_SHARED') return []
  const difference: Difference = {
    ...{ kind: 'OTHER_OWNER', identifier: productText(their), ours: `owned by ${hit.owner}` },
    ...{ theirs: theirPurchaseText(their), access: null, purchaseId: hit.purchase.id },
  }
  return [{ their, difference }]
}

const onlyThereDifference = (their: TheirPurchase): Difference => ({
  ...{ kind: 'PURCHASE_ONLY_THERE', identifier: productText(their), ours: NO_PURCHASE },
  ...{ theirs: theirPurchaseText(their), access: null, purchaseId: null },
})

const onlyHereDifference = (our: OurPurchase): Difference => ({
  ...{ kind: 'PURCHASE_ONLY_HERE', identifier: our.state.storeProductId, theirs: NO_PURCHASE },
  ...{ ours: ourPurchaseText(our, effectiveEnd(our.state)), access: null, purchaseId: our.id },
})

function pairDifferences(comparison: Comparison, { compared, undecided }: AccessOutcome, pair: Pair): Difference[] {
  const { their, our } = pair
  if (their.isSandbox && our.environment === 'SANDBOX' && comparison.skipSandbox) return []
  const touching = compared.filter((one) => one.their === their || one.ourId === our.id)
  const kinds = new Set(touching.flatMap(({ differences }) => differences.map(({ kind }) => kind)))
  const isUndecided = undecided.their.includes(their) || undecided.ourIds.includes(our.id)
  const isBothSided = touching.some((one) => one.their === their && one.ourId === our.id)
  return comparePair(comparison, pair, {
    isCovered: isBothSided || isUndecided || kinds.size > 0,
    isOneSided: kinds.has('ACCESS_ONLY_THERE') || kinds.has('ACCESS_ONLY_HERE'),
    hasOtherEnd: kinds.has('OTHER_END'),
  })
}
