import type { JsonInteger } from '../../base/lib/int64'
import { type Equivalent, equivalentsOf } from './equivalent'
import {
  type CurrencyData,
  dataOf,
  type ExposureData,
  type FormatEvent,
  type PurchaseImages,
  purchaseImages,
} from './event'
import { furtherUuidOf, uuidOf } from './event-id'
import type { VendorFacts } from './facts'
import { identityMembers, personMembers } from './identity'
import { consentMembers, type Lifecycle, lifecycleMembers } from './lifecycle'
import { accessOf, soldProductId, storeMembers } from './product'

export interface VendorBody {
  api_version: '1.0'
  event: { type: string; id: string; event_timestamp_ms: number } & Record<string, unknown>
}

/**
 * An event as the vendor would tell it: its bodies in the order in which they are sent, mostly one; none when it would
 * tell nothing. Equal input gives equal bodies, so every attempt and every redelivery has the same `id` and the same
 * `event_timestamp_ms`.
 */
export function vendorBodies(event: FormatEvent, facts: VendorFacts): VendorBody[] {
  return equivalentsOf(event).flatMap((equivalent, index) => {
    const members = membersOf(event, equivalent, facts)
    if (members === null) return []
    const id = index === 0 ? uuidOf(event.id) : furtherUuidOf(event.id, equivalent.type)
    return [bodyOf(equivalent.type, id, event.recordedAt, members)]
  })
}

export const bodyOf = (type: string, id: string, madeAt: number, members: Record<string, unknown>): VendorBody => ({
  api_version: '1.0',
  event: { type, id, event_timestamp_ms: madeAt, ...members },
})

function membersOf(event: FormatEvent, equivalent: Equivalent, facts: VendorFacts): Record<string, unknown> | null {
  const images = purchaseImages(event)
  switch (equivalent.type) {
    case 'TRANSFER':
      return transferMembers(event, facts)
    case 'VIRTUAL_CURRENCY_TRANSACTION':
      return currencyMembers(event, equivalent.source, facts)
    case 'EXPERIMENT_ENROLLMENT':
      return enrollmentMembers(event, facts)
    case 'PURCHASE_REDEEMED':
      return redeemedMembers(event, facts)
    case 'PRICE_INCREASE_CONSENT_REQUIRED':
    case 'PRICE_INCREASE_CONSENT_APPROVED':
      return images && consentMembers(event, images, facts)
    default:
      return images && purchaseMembers(event, equivalent, images, facts)
  }
}

/** A refund ends nothing when the product has no period and gives no access, as a package of coins does not. */
function purchaseMembers(event: FormatEvent, equivalent: Lifecycle, images: PurchaseImages, facts: VendorFacts) {
  const isEndOfRefund = equivalent.type === 'EXPIRATION' && event.type === 'purchase.refunded'
  const hasEnd = images.after.expiresAt !== null || accessOf(images.after.productId, facts) !== null
  return isEndOfRefund && !hasEnd ? null : lifecycleMembers(event, equivalent, images, facts)
}

/** The vendor tells a transfer only when a purchase moved that a store knows. */
function transferMembers(event: FormatEvent, { transfer, purchase }: VendorFacts) {
  if (transfer === null || purchase === null || purchase.store === 'MANUAL') return null
  return {
    ...storeMembers(event.projectId, purchase.store),
    environment: purchase.environment,
    transferred_from: transfer.from,
    transferred_to: transfer.to,
  }
}

function currencyMembers(event: FormatEvent, source: string, facts: VendorFacts) {
  const { code = '', amount = 0 } = dataOf<CurrencyData>(event)
  const { purchase, ledger } = facts
  if (ledger === null) return null
  const { app_user_id, aliases } = identityMembers(event, facts)
  const product = purchase?.productId == null ? undefined : facts.products[purchase.productId]
  return {
    ...{ app_user_id, aliases },
    ...personMembers(facts.person),
    // A manual booking belongs to no store, like a grant.
    ...storeMembers(event.projectId, purchase?.store ?? 'MANUAL'),
    source,
    adjustments: [adjustment(amount, code, ledger.currencyName)],
    virtual_currency_transaction_id: ledger.id,
    product_id: purchase && soldProductId(purchase, facts),
    product_display_name: product?.displayName ?? null,
    transaction_id: purchase && (ledger.storeTransactionId ?? purchase.storeTransactionId),
    purchase_environment: event.environment,
    country_code: null,
  }
}

const adjustment = (amount: JsonInteger, code: string, name: string) => ({
  amount,
  currency: { code, name, description: null },
})

function enrollmentMembers(event: FormatEvent, facts: VendorFacts) {
  const { experimentId, variantId } = dataOf<ExposureData>(event)
  const held = facts.person?.experiments.find((one) => one.experimentId === experimentId)
  // The person was reported as enrolled at an earlier exposure, for example on a device that was merged since.
  if (held && held.exposedAt < event.occurredAt) return null
  return {
    ...identityMembers(event, facts),
    experiment_id: experimentId,
    experiment_variant: variantId,
    offering_id: facts.offeringOfVariant,
    // The vendor publishes both names.
    enrolled_at_ms: event.occurredAt,
    experiment_enrolled_at_ms: event.occurredAt,
  }
}

/** A claim that moved no purchase redeemed nothing. */
function redeemedMembers(event: FormatEvent, facts: VendorFacts) {
  const { transfer, purchase } = facts
  if (purchase === null || transfer === null) return null
  const { app_user_id, aliases } = identityMembers(event, facts)
  return {
    app_user_id,
    ...storeMembers(event.projectId, purchase.store),
    product_id: soldProductId(purchase, facts),
    entitlement_ids: accessOf(purchase.productId, facts),
    environment: purchase.environment,
    redeemed_from: transfer.from,
    redeemed_by: aliases,
    redemption_outcome: 'alias',
  }
}
