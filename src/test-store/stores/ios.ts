import { sign } from 'node:crypto'
import { addPeriod } from '../../base/lib/period'
import type { TransactionPayload } from '../../stores/ios/decode'
import { type SimulatorKeys, signingKey } from '../../stores/test-keys/keys'

export type StoreKitType = 'Auto-Renewable Subscription' | 'Non-Renewing Subscription' | 'Consumable' | 'Non-Consumable'

/** A product as the store has it. Periods are ISO 8601 (`P1M`); the price is in thousandths of the main unit. */
export interface SimulatedProduct {
  productId: string
  type: StoreKitType
  period: string | null
  price: number
  currency: string
  trialPeriod?: string
  subscriptionGroupId?: string
  /** MONTHLY: the customer has committed to a year and pays each month. */
  billingPlanType?: 'MONTHLY'
}

export interface SimulatedPurchase {
  bundleId: string
  product: SimulatedProduct
  transactionId: string
  now: number
  /** Starts with the free trial of the product, if the product has one. */
  withTrial?: boolean
  quantity?: number
  appAccountToken?: string
  ownershipType?: 'PURCHASED' | 'FAMILY_SHARED'
  /** An earlier transaction of the chain, for an upgrade or for a new purchase after the end. */
  previous?: TransactionPayload
}

export interface SimulatedRenewal {
  product: SimulatedProduct
  transactionId: string
  now: number
}

/** A customer buys: the first transaction of a chain, or a further one that the customer makes in it. */
export function simulatedPurchase(purchase: SimulatedPurchase): TransactionPayload {
  const { product, transactionId, now, previous, quantity = 1, appAccountToken } = purchase
  const trialPeriod = purchase.withTrial ? product.trialPeriod : undefined
  return {
    transactionId,
    originalTransactionId: previous?.originalTransactionId ?? transactionId,
    bundleId: purchase.bundleId,
    purchaseDate: now,
    originalPurchaseDate: previous?.originalPurchaseDate ?? now,
    quantity,
    inAppOwnershipType: purchase.ownershipType ?? 'PURCHASED',
    signedDate: now,
    environment: 'Sandbox',
    transactionReason: 'PURCHASE',
    storefront: 'USA',
    storefrontId: '143441',
    ...productMembers(product),
    ...periodMembers(product, transactionId, now),
    price: product.price * quantity,
    ...(appAccountToken === undefined ? {} : { appAccountToken }),
    ...(trialPeriod === undefined ? {} : trialMembers(trialPeriod, now)),
  }
}

/** The store charges the next period. It starts at the end of the last one, or now when that is past. */
export function simulatedRenewal(previous: TransactionPayload, renewal: SimulatedRenewal): TransactionPayload {
  const { product, transactionId, now } = renewal
  const purchaseDate = Math.max(previous.expiresDate ?? now, now)
  return {
    ...lastingMembers(previous),
    ...productMembers(product),
    ...periodMembers(product, transactionId, purchaseDate),
    transactionId,
    purchaseDate,
    signedDate: laterThan(previous, now),
    transactionReason: 'RENEWAL',
  }
}

/** The same transaction, refunded now; `reason` 1 = a problem with the app, 0 = any other. */
export const simulatedRefund = (previous: TransactionPayload, now: number, reason: 0 | 1 = 0): TransactionPayload => ({
  ...previous,
  revocationDate: now,
  revocationReason: reason,
  signedDate: laterThan(previous, now),
})

/** The same sale, restored or on a second device: the store gives the copy an id of its own. */
export const simulatedCopy = (
  previous: TransactionPayload,
  copy: Pick<TransactionPayload, 'transactionId'> & { now: number; purchaseDate?: number },
): TransactionPayload => ({
  ...previous,
  transactionId: copy.transactionId,
  purchaseDate: copy.purchaseDate ?? previous.purchaseDate,
  signedDate: laterThan(previous, copy.now),
})

/** The same transaction, ended now. */
export const simulatedExpiry = (previous: TransactionPayload, now: number): TransactionPayload => ({
  ...previous,
  expiresDate: Math.min(previous.expiresDate ?? now, now),
  signedDate: laterThan(previous, now),
})

/** Signs a payload like the App Store: compact JWS, ES256, with the certificate chain in the header. */
export function signTransaction(keys: SimulatorKeys, fields: object): string {
  const text = [{ alg: 'ES256', x5c: keys.x5c }, fields]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(text), { key: signingKey(keys), dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const productMembers = ({
  productId,
  type,
  price,
  currency,
  subscriptionGroupId,
  billingPlanType,
}: SimulatedProduct) => ({
  productId,
  type,
  price,
  currency,
  ...(subscriptionGroupId === undefined ? {} : { subscriptionGroupIdentifier: subscriptionGroupId }),
  ...(billingPlanType === undefined ? {} : { billingPlanType }),
})

/** The store does not know the end of a subscription that never renews. */
const periodMembers = ({ period, type }: SimulatedProduct, transactionId: string, start: number) =>
  period === null || type === 'Non-Renewing Subscription'
    ? {}
    : { expiresDate: addPeriod(start, period), webOrderLineItemId: transactionId }

const trialMembers = (trialPeriod: string, start: number) => ({
  expiresDate: addPeriod(start, trialPeriod),
  price: 0,
  offerType: 1,
  offerDiscountType: 'FREE_TRIAL',
})

/** The members that a renewal copies: not the offer, the refund or the replacement of the transaction before it. */
function lastingMembers(payload: TransactionPayload): TransactionPayload {
  const { offerType: _1, offerDiscountType: _2, offerIdentifier: _3, ...withoutOffer } = payload
  const { revocationDate: _4, revocationReason: _5, isUpgraded: _6, billingPlanType: _7, ...lasting } = withoutOffer
  return lasting
}

// Two signed versions at one instant would count as one version sent twice.
const laterThan = ({ signedDate }: TransactionPayload, now: number): number => Math.max(now, signedDate + 1)
