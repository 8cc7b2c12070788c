import { toIsoOrNull } from '../../base/lib/time'
import { givesAccess } from '../../core/purchase/status'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { PurchaseFold } from '../purchases/model'
import { type AccessRule, effectiveEnd, nextStatusChangeAt, statusAt, statusReason } from '../purchases/status'
import type { AccessMap } from '../subscribers/access-map'

/** A purchase that a subscriber owns, and the accesses that its product gives. */
export interface EntitlementGrant {
  purchaseId: string
  accessIdentifiers: readonly string[]
  /** The product's identifier in the catalog; `unknown` when the product is not in the catalog. */
  productIdentifier: string
  store: Store
  environment: PurchaseEnvironment
  fold: PurchaseFold
}

/** A purchase that could give an access, and the rule by which it does or does not. */
export interface EntitlementCandidate {
  purchaseId: string
  /** Whether it gives the access. False for a sandbox purchase that does not count in the project, whatever the rule. */
  grants: boolean
  rule: AccessRule
  effectiveEnd: number | null
}

/** Whether and until when a subscriber holds one access, and the purchase that decides it. */
export interface Entitlement {
  access: string
  isActive: boolean
  /** Effective end; null = never ends. */
  expiresAt: number | null
  store: Store
  productIdentifier: string
  purchaseId: string
  rule: AccessRule
  /** Every purchase of the access, the deciding one first. */
  candidates: EntitlementCandidate[]
}

/**
 * One entitlement per access of the given purchases, sorted by access (wire 5.5). Of several purchases one decides: a
 * purchase that gives access comes before one that does not; then the latest end, where null is later than any end;
 * then the newest purchase date; then the greater purchase id. `sandboxGrants`: whether sandbox purchases count for this
 * subscriber.
 */
export function computeEntitlements(
  grants: readonly EntitlementGrant[],
  now: number,
  sandboxGrants: boolean,
): Entitlement[] {
  const ranked = grants.map((grant) => toClaim(grant, now, sandboxGrants)).sort(compareClaims)
  const claims = new Map<string, Claim[]>()
  for (const claim of ranked) {
    for (const access of new Set(claim.grant.accessIdentifiers)) {
      claims.set(access, [...(claims.get(access) ?? []), claim])
    }
  }
  return [...claims]
    .flatMap(([access, [first, ...others]]) => (first ? [toEntitlement(access, first, others)] : []))
    .sort((a, b) => (a.access < b.access ? -1 : 1))
}

/**
 * The next instant after `now` at which time alone may change the entitlements of these purchases; null = never. Before
 * it, `computeEntitlements` gives the same result as at `now`, whether or not sandbox purchases count.
 */
export function entitlementsChangeAt(folds: Iterable<PurchaseFold>, now: number): number | null {
  let next: number | null = null
  for (const fold of folds) {
    const at = nextStatusChangeAt(fold, now)
    if (at !== null && (next === null || at < next)) next = at
  }
  return next
}

/** The active entitlements in the form of the wire. */
export const toAccessMap = (entitlements: readonly Entitlement[]): AccessMap =>
  Object.fromEntries(
    entitlements
      .filter(({ isActive }) => isActive)
      .map(({ access, expiresAt, store, productIdentifier }) => [
        access,
        { isActive: true, expiresDate: toIsoOrNull(expiresAt), store, productIdentifier },
      ]),
  )

export interface SandboxQuestion {
  sandboxAccess: 'anybody' | 'allowList' | 'nobody'
  /** Labels and device keys. */
  sandboxTesters: readonly string[]
  label: string | null
  deviceKey: string
}

/** Whether the sandbox purchases of a subscriber give access in this project. */
export function sandboxGrants({ sandboxAccess, sandboxTesters, label, deviceKey }: SandboxQuestion): boolean {
  if (sandboxAccess !== 'allowList') return sandboxAccess === 'anybody'
  return sandboxTesters.includes(deviceKey) || (label !== null && sandboxTesters.includes(label))
}

interface Claim {
  grant: EntitlementGrant
  candidate: EntitlementCandidate
}

function toClaim(grant: EntitlementGrant, now: number, sandboxGrants: boolean): Claim {
  const { purchaseId, fold, environment } = grant
  const grants = givesAccess(statusAt(fold, now).status) && (sandboxGrants || environment === 'PRODUCTION')
  return { grant, candidate: { purchaseId, grants, rule: statusReason(fold, now), effectiveEnd: effectiveEnd(fold) } }
}

function compareClaims(a: Claim, b: Claim): number {
  if (a.candidate.grants !== b.candidate.grants) return a.candidate.grants ? -1 : 1
  const [endA, endB] = [a.candidate.effectiveEnd, b.candidate.effectiveEnd]
  if (endA !== endB) return endA === null || (endB !== null && endA > endB) ? -1 : 1
  const byDate = b.grant.fold.purchaseDate - a.grant.fold.purchaseDate
  return byDate || (a.grant.purchaseId > b.grant.purchaseId ? -1 : 1)
}

function toEntitlement(access: string, { grant, candidate }: Claim, others: readonly Claim[]): Entitlement {
  const { purchaseId, store, productIdentifier } = grant
  return {
    access,
    isActive: candidate.grants,
    expiresAt: candidate.effectiveEnd,
    store,
    productIdentifier,
    purchaseId,
    rule: candidate.rule,
    candidates: [candidate, ...others.map((other) => other.candidate)],
  }
}
