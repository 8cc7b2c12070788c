import type { Equivalent, LifecycleType } from './equivalent'
import type { FormatEvent, PurchaseImage, PurchaseImages } from './event'
import type { VendorFacts } from './facts'
import { identityMembers, personMembers } from './identity'
import { pricesOf, takeHomeOf } from './price'
import { accessOf, newProductMember, productIdMember, soldProductId, storeMembers } from './product'

export type Lifecycle = Extract<Equivalent, { type: LifecycleType }>

/** The members of an event about a purchase. */
export function lifecycleMembers(
  event: FormatEvent,
  equivalent: Lifecycle,
  images: PurchaseImages,
  facts: VendorFacts,
): Record<string, unknown> {
  const { after } = images
  const commission = facts.purchase?.commission ?? null
  return {
    ...identityMembers(event, facts),
    ...personMembers(facts.person),
    ...storeMembers(event.projectId, after.store),
    product_id: productIdMember(images, event.data, equivalent.type === 'PRODUCT_CHANGE', facts),
    entitlement_ids: accessOf(after.productId, facts),
    entitlement_id: null,
    period_type: periodType(after),
    purchased_at_ms: Date.parse(after.purchaseDate),
    expiration_at_ms: endOf(equivalent, event, after),
    environment: event.environment,
    presented_offering_id: facts.purchase?.offering ?? null,
    ...pricesOf(event.type, images, movesMoney(equivalent, event)),
    tax_percentage: null,
    commission_percentage: commission,
    takehome_percentage: takeHomeOf(commission),
    ...transactionIds(images),
    is_family_share: after.ownershipType === 'FAMILY_SHARED',
    country_code: null,
    offer_code: after.store === 'ANDROID_STORE' ? null : after.offerId,
    renewal_number: renewalNumber(images, facts),
    ...ownMembers(equivalent, images, event, facts),
  }
}

/** The members of an event about the consent to a higher price. */
export const consentMembers = (event: FormatEvent, images: PurchaseImages, facts: VendorFacts) => ({
  ...identityMembers(event, facts),
  ...personMembers(facts.person),
  ...storeMembers(event.projectId, images.after.store),
  product_id: soldProductId(images.after, facts),
  ...transactionIds(images),
  environment: event.environment,
  currency: images.after.price?.currency ?? null,
  country_code: null,
})

function ownMembers(
  equivalent: Lifecycle,
  images: PurchaseImages,
  { data }: FormatEvent,
  facts: VendorFacts,
): Record<string, unknown> {
  switch (equivalent.type) {
    case 'RENEWAL':
      return { is_trial_conversion: equivalent.isTrialConversion }
    case 'CANCELLATION':
      return { cancel_reason: equivalent.reason }
    case 'EXPIRATION':
      return { expiration_reason: equivalent.reason }
    case 'BILLING_ISSUE':
      return { grace_period_expiration_at_ms: data.phase === 'RETRY' ? null : toMs(images.after.gracePeriodExpiresAt) }
    case 'PRODUCT_CHANGE':
      return newProductMember(images, data, facts)
    case 'REFUND_REVERSED':
      return { metadata: null }
    default:
      return {}
  }
}

/** When an end is reported, the access does not last longer, whatever was paid for: after a refund the period has not ended. */
function endOf({ type }: Lifecycle, { occurredAt }: FormatEvent, { expiresAt }: PurchaseImage): number | null {
  const end = toMs(expiresAt)
  return type === 'EXPIRATION' ? Math.min(end ?? occurredAt, occurredAt) : end
}

/** Of two bodies of one event only one has the money: the cancellation of a refund, the renewal of a change. */
const movesMoney = ({ type }: Lifecycle, event: FormatEvent): boolean =>
  type !== 'PRODUCT_CHANGE' && !(type === 'EXPIRATION' && event.type === 'purchase.refunded')

function periodType({ store, isTrial, isIntroOffer }: PurchaseImage): string {
  if (store === 'MANUAL') return 'PROMOTIONAL'
  if (isTrial) return 'TRIAL'
  return isIntroOffer ? 'INTRO' : 'NORMAL'
}

const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/**
 * Google numbers the orders of a subscription `GPA.1`, `GPA.1..0`, `GPA.1..1`; the first has no number. The token of a
 * purchase must not leave the server, so it is never used as an id.
 */
function transactionIds({ after, transaction }: PurchaseImages) {
  const { store, storeTransactionId, originalTransactionId } = after
  const isOrder = store === 'ANDROID_STORE'
  return {
    transaction_id: transaction?.storeTransactionId ?? storeTransactionId,
    original_transaction_id: isOrder ? storeTransactionId.replace(/\.\.\d+$/, '') : originalTransactionId,
  }
}

/** We count the renewals that were paid; the vendor counts periods, and a free trial is one of them. */
function renewalNumber({ transaction }: PurchaseImages, { purchase }: VendorFacts): number | null {
  if (transaction === null) return null
  const hasTrialBefore = purchase?.hasTrial === true && transaction.kind !== 'TRIAL'
  return transaction.renewalNumber + (hasTrialBefore ? 2 : 1)
}
