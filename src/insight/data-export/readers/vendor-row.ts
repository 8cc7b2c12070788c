import { toIso } from '../../../base/lib/time'
import { toDecimalOrNull } from '../../../core/money/money'
import type { StandingMarkers, TransactionRecord } from '../../../people/purchases/history'
import { isCharge } from '../../../people/purchases/lines'
import type { TransactionKind } from '../../../people/purchases/model'
import { findStoreProduct } from '../../../people/purchases/store-product'
import type { StoredAttributes } from '../../../people/subscribers/tables'
import type { ProjectState } from '../../../projects/project/state'
import type { Store } from '../../../stores/observation'
import type { Cell, Column } from '../model'
import { externalIdOf } from './owners'
import { entitlementsOf, type FoundPurchase } from './purchase-rows'

const BOOLEANS = [
  'is_auto_renewable',
  'is_trial_period',
  'is_in_intro_offer_period',
  'is_sandbox',
  'is_trial_conversion',
]
const JSONS = ['entitlement_identifiers', 'reserved_subscriber_attributes', 'custom_subscriber_attributes']

const NAMES = [
  ...['rc_original_app_user_id', 'rc_last_seen_app_user_id_alias', 'country', 'country_source', 'product_identifier'],
  ...['product_display_name', 'product_duration', 'start_time', 'end_time', 'grace_period_end_time'],
  ...['effective_end_time', 'store', 'is_auto_renewable', 'is_trial_period', 'is_in_intro_offer_period', 'is_sandbox'],
  ...['price_in_usd', 'purchase_price_in_usd', 'takehome_percentage', 'tax_percentage', 'commission_percentage'],
  ...['store_transaction_id', 'original_store_transaction_id', 'refunded_at', 'unsubscribe_detected_at'],
  ...['billing_issues_detected_at', 'purchased_currency', 'price_in_purchased_currency'],
  ...['purchase_price_in_purchased_currency', 'entitlement_identifiers', 'renewal_number', 'is_trial_conversion'],
  ...['presented_offering', 'ownership_type', 'reserved_subscriber_attributes', 'custom_subscriber_attributes'],
  ...['platform', 'experiment_id', 'experiment_variant', 'updated_at', 'offer', 'offer_type', 'first_seen_time'],
  ...['auto_resume_time'],
]

const typeOf = (name: string): Column['type'] => {
  if (BOOLEANS.includes(name)) return 'boolean'
  if (JSONS.includes(name)) return 'json'
  return name === 'renewal_number' ? 'integer' : 'text'
}

export const VENDOR_COLUMNS: readonly Column[] = NAMES.map((name) => ({ name, type: typeOf(name) }))

/** A money line of a transaction. */
export interface ChargeLine {
  storeTransactionId: string
  kind: TransactionKind
  amountMicros: number | null
  usdMicros: number | null
}

/** One period of a purchase. */
interface Period {
  record: TransactionRecord
  /** 1 for the first. */
  number: number
  isCurrent: boolean
  followsTrial: boolean
  standing: StandingMarkers
  lines: readonly ChargeLine[]
}

/** What we do not know is empty. */
export function toVendorRow(project: ProjectState, purchase: FoundPurchase, period: Period): Cell[] {
  const known: Record<string, Cell> = {
    ...personCells(purchase),
    ...productCells(project, purchase, period),
    ...timeCells(purchase, period),
    ...priceCells(period),
    renewal_number: period.number,
    is_trial_conversion: period.followsTrial && !period.record.part.isTrial,
  }
  return NAMES.map((name) => known[name] ?? null)
}

function personCells({ owner }: FoundPurchase): Record<string, Cell> {
  const id = externalIdOf(owner)
  return {
    rc_original_app_user_id: owner.deviceKey ?? id,
    rc_last_seen_app_user_id_alias: id,
    reserved_subscriber_attributes: attributesOf(owner.attributes, true),
    custom_subscriber_attributes: attributesOf(owner.attributes, false),
    first_seen_time: owner.isErased ? null : toTime(owner.firstSeenAt),
  }
}

/** The reserved names start with a dollar sign. */
function attributesOf(attributes: StoredAttributes, isReserved: boolean): object | null {
  const own = Object.entries(attributes).filter(([name]) => name.startsWith('$') === isReserved)
  if (own.length === 0) return null
  return Object.fromEntries(own.map(([name, { value, updatedAt }]) => [name, { value, updated_at_ms: updatedAt }]))
}

const STORES: Record<Store, { store: string; platform: string | null }> = {
  IOS_STORE: { store: 'app_store', platform: 'ios' },
  ANDROID_STORE: { store: 'play_store', platform: 'android' },
  PAYMENT: { store: 'stripe', platform: null },
  MANUAL: { store: 'promotional', platform: null },
}

function productCells(project: ProjectState, purchase: FoundPurchase, { record, isCurrent }: Period) {
  const { store, environment, originalTransactionId } = purchase
  const { part } = record
  const product = findStoreProduct(project.catalog, part.storeProductId, store)
  return {
    ...STORES[store],
    product_identifier: part.storeProductId,
    product_display_name: product?.displayName ?? null,
    product_duration: product?.period ?? null,
    is_sandbox: environment === 'SANDBOX',
    is_auto_renewable: isAutoRenewable(purchase, isCurrent),
    is_trial_period: part.isTrial,
    is_in_intro_offer_period: part.isIntroOffer,
    ownership_type: part.ownershipType,
    offer: part.offerId,
    entitlement_identifiers: entitlementsOf(project, { ...purchase, productId: product?.id ?? purchase.productId }),
    store_transaction_id: part.transactionId,
    original_store_transaction_id: originalTransactionId,
  }
}

/** Whether the period renews by itself, unless the customer has ended it. */
function isAutoRenewable({ fold, store }: FoundPurchase, isCurrent: boolean): boolean {
  if (fold?.productType !== 'SUBSCRIPTION' || store === 'MANUAL') return false
  return !isCurrent || fold.autoRenews || fold.cancelledAt !== null
}

/** The row of the current period has the members about the renewal of the chain. */
function timeCells({ fold, updatedAt }: FoundPurchase, { record, standing, isCurrent }: Period): Record<string, Cell> {
  const { refundedAt, revokedAt } = standing
  const end = earliest(record.expiresAt, revokedAt)
  const now = isCurrent ? fold : null
  const grace = now?.gracePeriodExpiresAt ?? null
  return {
    start_time: toTime(record.part.purchaseDate),
    end_time: toTime(end),
    grace_period_end_time: toTime(grace),
    effective_end_time: toTime(refundedAt ?? (end === null ? null : Math.max(end, grace ?? end))),
    refunded_at: toTime(refundedAt),
    unsubscribe_detected_at: toTime(now?.cancelledAt ?? null),
    billing_issues_detected_at: toTime(now && now.billingTrouble !== 'NONE' ? now.storeEventAt : null),
    auto_resume_time: toTime(now?.autoResumeAt ?? null),
    updated_at: toTime(updatedAt),
  }
}

const earliest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** The price that was charged, and what is left of it after refunds. */
function priceCells({ record: { part }, lines }: Period): Record<string, Cell> {
  const charge = lines.find(isCharge)
  const charged = charge?.amountMicros ?? part.price?.amountMicros ?? null
  const net = charge ? sumOf(lines.map(({ amountMicros }) => amountMicros)) : charged
  return {
    purchased_currency: part.price?.currency ?? null,
    purchase_price_in_purchased_currency: toDecimalOrNull(charged),
    price_in_purchased_currency: toDecimalOrNull(net),
    purchase_price_in_usd: toDecimalOrNull(charge?.usdMicros),
    price_in_usd: toDecimalOrNull(charge ? sumOf(lines.map(({ usdMicros }) => usdMicros)) : null),
  }
}

/** Null when one of them is not known. */
const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0)

/** `2026-11-20 08:00:00`, UTC. */
const toTime = (instant: number | null): string | null =>
  instant === null ? null : toIso(instant).slice(0, 19).replace('T', ' ')
