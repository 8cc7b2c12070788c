import { unitsOf } from '../../core/money/money'
import { givesAccess } from '../../core/purchase/status'
import { type Entitlement, entitlementsChangeAt } from '../../people/entitlements/compute'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { effectiveEnd, statusAt } from '../../people/purchases/status'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { CatalogSnapshot } from '../../projects/catalog/snapshot'
import { splitAndroidId } from '../../stores/android/purchase-id'
import { promotionalId } from './promotional'

/** Everything that the answer about a person is made of. */
export interface PersonFacts {
  catalog: CatalogSnapshot
  /** The id by which the app knows the person. */
  personId: string
  row: Pick<SubscriberRow, 'firstSeenAt'>
  purchases: readonly PurchaseRow[]
  entitlements: readonly Entitlement[]
  now: number
  /** Whether purchases of the sandbox are shown as those of the test store, by our own product identifiers. */
  isTest: boolean
}

type Entry = Record<string, unknown>

/** The instant in whole seconds, as this protocol writes them. */
export const second = (instant: number): string =>
  `${new Date(Math.floor(instant / 1000) * 1000).toISOString().slice(0, 19)}Z`
const secondOrNull = (instant: number | null): string | null => (instant === null ? null : second(instant))

/** The answer about a person: what they bought and what they may use now. */
export function toCustomerInfo(facts: PersonFacts) {
  const { personId, row, now } = facts
  return {
    request_date: second(now),
    request_date_ms: now,
    subscriber: {
      original_app_user_id: personId,
      original_application_version: null,
      original_purchase_date: secondOrNull(firstPurchase(facts)),
      first_seen: second(row.firstSeenAt),
      // The call itself is the last sign of the person.
      last_seen: second(now),
      management_url: null,
      entitlements: entitlementsOf(facts),
      subscriptions: subscriptionsOf(facts),
      non_subscriptions: oneTimesOf(facts),
      other_purchases: {},
    },
  }
}

export type CustomerInfo = ReturnType<typeof toCustomerInfo>

/**
 * The instant from which on time alone may change the answer; null = never. `now` for an answer that is right for this
 * instant alone: an access that ended at no known instant.
 */
export function changesAt({ purchases, now }: Pick<PersonFacts, 'purchases' | 'now'>): number | null {
  const isMoving = purchases.some((purchase) => !hasAccess(purchase, now) && endAt(purchase, now) === now)
  return isMoving
    ? now
    : entitlementsChangeAt(
        purchases.map(({ fold }) => fold),
        now,
      )
}

const firstPurchase = ({ purchases }: PersonFacts): number | null =>
  purchases.reduce<number | null>(
    (first, { fold }) => Math.min(first ?? fold.originalPurchaseDate, fold.originalPurchaseDate),
    null,
  )

/** The id of what was bought: that of the store which sold it; ours for the web and for the test store. */
export interface SoldId {
  id: string
  plan: string | null
}

export function soldId({ catalog, isTest }: PersonFacts, { store, environment, productId, fold }: PurchaseRow): SoldId {
  const own = productId === null ? undefined : catalog.products.get(productId)?.identifier
  if (store === 'ANDROID_STORE' && !(isTest && environment === 'SANDBOX')) {
    const { productId: id, basePlanId } = splitAndroidId(fold.storeProductId)
    return { id, plan: basePlanId }
  }
  const usesOwn = store === 'PAYMENT' || store === 'MANUAL' || (isTest && environment === 'SANDBOX')
  return { id: (usesOwn ? own : undefined) ?? fold.storeProductId, plan: null }
}

function subscriptionsOf(facts: PersonFacts): Record<string, Entry> {
  const entries = new Map<string, { entry: Entry; end: number }>()
  for (const purchase of facts.purchases) {
    for (const { id, plan } of subscribedIds(facts, purchase)) {
      const end = endAt(purchase, facts.now) ?? Number.POSITIVE_INFINITY
      const held = entries.get(id)
      // Of two purchases of one product, the one that ends last is the one that an entitlement points to.
      if (held === undefined || end > held.end) entries.set(id, { entry: toSubscription(facts, purchase, plan), end })
    }
  }
  return Object.fromEntries([...entries].map(([id, { entry }]) => [id, entry]))
}

/** A granted access has an entry of its own for each access, because it has no product of a store. */
function subscribedIds(facts: PersonFacts, purchase: PurchaseRow): SoldId[] {
  if (isGrant(purchase)) return grantedIds(facts, purchase)
  return purchase.fold.productType === 'SUBSCRIPTION' ? [soldId(facts, purchase)] : []
}

const isGrant = ({ store }: PurchaseRow): boolean => store === 'MANUAL'

function grantedIds({ catalog }: PersonFacts, { accessIds, productId, fold }: PurchaseRow): SoldId[] {
  const ids = accessIds ?? (productId === null ? undefined : catalog.products.get(productId)?.accessIds) ?? []
  return ids.flatMap((accessId) => {
    const access = catalog.access.get(accessId)
    return access ? [{ id: promotionalId(access.identifier, fold), plan: null }] : []
  })
}

/**
 * When the access of a purchase ends or has ended; null = never. A purchase that gives none any more has ended, whatever
 * the paid period says: the SDKs decide by this date alone.
 */
function endAt({ fold }: PurchaseRow, now: number): number | null {
  const end = effectiveEnd(fold)
  if (hasAccess({ fold }, now)) return end
  const stopped = fold.revokedAt ?? fold.refundedAt ?? fold.pausedAt ?? now
  return Math.min(end ?? now, stopped, now)
}

const hasAccess = ({ fold }: Pick<PurchaseRow, 'fold'>, now: number): boolean => givesAccess(statusAt(fold, now).status)

function toSubscription(facts: PersonFacts, purchase: PurchaseRow, plan: string | null): Entry {
  const { fold } = purchase
  const { catalog, now } = facts
  const product = purchase.productId === null ? undefined : catalog.products.get(purchase.productId)
  return {
    auto_resume_date: secondOrNull(fold.autoResumeAt),
    billing_issues_detected_at: fold.billingTrouble === 'NONE' ? null : second(fold.storeEventAt),
    display_name: product?.displayName ?? null,
    expires_date: secondOrNull(endAt(purchase, now)),
    grace_period_expires_date: secondOrNull(fold.gracePeriodExpiresAt),
    is_sandbox: purchase.environment === 'SANDBOX',
    management_url: null,
    original_purchase_date: second(fold.originalPurchaseDate),
    ownership_type: fold.ownershipType,
    period_type: periodTypeOf(fold),
    price: priceOf(purchase),
    product_plan_identifier: plan,
    purchase_date: second(fold.purchaseDate),
    refunded_at: secondOrNull(fold.refundedAt ?? fold.revokedAt),
    store: storeName(facts, purchase),
    store_transaction_id: fold.storeTransactionId,
    unsubscribe_detected_at: secondOrNull(unsubscribedAt(purchase)),
  }
}

function periodTypeOf({ isTrial, isIntroOffer }: PurchaseRow['fold']): string {
  if (isTrial) return 'trial'
  return isIntroOffer ? 'intro' : 'normal'
}

/** The SDKs compute from it whether a subscription renews. */
const unsubscribedAt = ({ store, fold }: PurchaseRow): number | null => {
  if (store === 'MANUAL') return null
  return fold.cancelledAt ?? (fold.autoRenews ? null : fold.storeEventAt)
}

const priceOf = ({ fold }: PurchaseRow): Entry | null =>
  fold.price === null ? null : { amount: unitsOf(fold.price.amountMicros), currency: fold.price.currency }

const STORES: Record<PurchaseRow['store'], string> = {
  IOS_STORE: 'app_store',
  ANDROID_STORE: 'play_store',
  PAYMENT: 'stripe',
  MANUAL: 'promotional',
}

const storeName = ({ isTest }: PersonFacts, { store, environment }: PurchaseRow): string =>
  isTest && environment === 'SANDBOX' && store !== 'MANUAL' ? 'test_store' : STORES[store]

function oneTimesOf(facts: PersonFacts): Record<string, Entry[]> {
  const lists = new Map<string, Entry[]>()
  for (const purchase of facts.purchases) {
    const { fold } = purchase
    // A purchase that was taken back is not listed, because such an entry has no end.
    if (isGrant(purchase) || fold.productType === 'SUBSCRIPTION' || isTakenBack(purchase)) continue
    const { id } = soldId(facts, purchase)
    lists.set(id, [...(lists.get(id) ?? []), toOneTime(facts, purchase)])
  }
  return Object.fromEntries(lists)
}

const isTakenBack = ({ fold }: PurchaseRow): boolean => fold.refundedAt !== null || fold.revokedAt !== null

function toOneTime(facts: PersonFacts, purchase: PurchaseRow): Entry {
  const { fold, productId, id, environment } = purchase
  return {
    id,
    is_sandbox: environment === 'SANDBOX',
    original_purchase_date: second(fold.originalPurchaseDate),
    purchase_date: second(fold.purchaseDate),
    store: storeName(facts, purchase),
    store_transaction_id: fold.storeTransactionId,
    display_name: (productId === null ? undefined : facts.catalog.products.get(productId)?.displayName) ?? null,
    price: priceOf(purchase),
  }
}

function entitlementsOf(facts: PersonFacts): Record<string, Entry> {
  const byId = new Map(facts.purchases.map((purchase) => [purchase.id, purchase]))
  return Object.fromEntries(
    facts.entitlements.flatMap((entitlement) => {
      const purchase = byId.get(entitlement.purchaseId)
      const entry = purchase && toEntitlement(facts, entitlement, purchase)
      return entry ? [[entitlement.access, entry]] : []
    }),
  )
}

/** Null for an entitlement that would point to no entry: then the web SDK refuses the whole answer. */
function toEntitlement(facts: PersonFacts, { access, isActive }: Entitlement, purchase: PurchaseRow): Entry | null {
  const { fold } = purchase
  const isOneTime = !isGrant(purchase) && fold.productType !== 'SUBSCRIPTION'
  const end = endAt(purchase, facts.now)
  // A sandbox purchase that gives nothing in this project, and a one-time purchase that was taken back.
  if (!isActive && (end === null || end > facts.now || (isOneTime && isTakenBack(purchase)))) return null
  const { id, plan } = isGrant(purchase) ? { id: promotionalId(access, fold), plan: null } : soldId(facts, purchase)
  return {
    expires_date: secondOrNull(end),
    grace_period_expires_date: secondOrNull(fold.gracePeriodExpiresAt),
    product_identifier: id,
    product_plan_identifier: plan,
    purchase_date: second(fold.purchaseDate),
  }
}
