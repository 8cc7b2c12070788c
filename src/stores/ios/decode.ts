import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { countryOfLongCode } from '../../base/lib/countries'
import { lazily } from '../../base/lib/lazily'
import { fromThousandths, type Money } from '../../base/lib/money'
import { isPeriod } from '../../base/lib/period'
import { MAX_INSTANT } from '../../base/lib/time'
import { accountTokenOf } from '../account-token'
import type { Marker, Observation, OwnershipType, PurchaseEnvironment, Report, TransactionPart } from '../observation'
import { readRefundTerms, termsOf } from './refund-terms'

const Text = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,256}$' })
const Instant = Type.Integer({ minimum: 0, maximum: MAX_INSTANT })
/** The largest price whose amount in micros is still an exact integer. */
export const MAX_PRICE = Math.floor(Number.MAX_SAFE_INTEGER / 1000)

/**
 * A StoreKit 2 signed transaction (Apple's JWSTransactionDecodedPayload), with the members that are used here.
 * Enumerations that Apple may extend are plain text or numbers. Other members are ignored.
 */
export const TransactionPayload = Type.Object(
  {
    transactionId: Text,
    originalTransactionId: Text,
    bundleId: Text,
    productId: Text,
    type: Text,
    environment: Type.Union([
      Type.Literal('Production'),
      Type.Literal('Sandbox'),
      Type.Literal('Xcode'),
      Type.Literal('LocalTesting'),
    ]),
    purchaseDate: Instant,
    originalPurchaseDate: Instant,
    signedDate: Instant,
    expiresDate: Type.Optional(Instant),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    appAccountToken: Type.Optional(Type.String()),
    inAppOwnershipType: Type.Optional(Text),
    transactionReason: Type.Optional(Text),
    /** Thousandths of the currency's main unit, for the whole quantity. */
    price: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PRICE })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    offerType: Type.Optional(Type.Integer()),
    offerIdentifier: Type.Optional(Text),
    offerDiscountType: Type.Optional(Text),
    offerPeriod: Type.Optional(Text),
    billingPlanType: Type.Optional(Text),
    revocationDate: Type.Optional(Instant),
    revocationReason: Type.Optional(Type.Integer()),
    isUpgraded: Type.Optional(Type.Boolean()),
    subscriptionGroupIdentifier: Type.Optional(Text),
    webOrderLineItemId: Type.Optional(Text),
    storefront: Type.Optional(Text),
    storefrontId: Type.Optional(Text),
  },
  { additionalProperties: true },
)
export type TransactionPayload = Static<typeof TransactionPayload>

const checker = lazily(() => TypeCompiler.Compile(TransactionPayload))

/** One verified transaction: its account token, the chain it belongs to, and its observations. */
export interface DecodedTransaction {
  bundleId: string
  storeProductId: string
  environment: PurchaseEnvironment
  /** Names the purchase within the store; see `chainKeyOf`. */
  chainKey: string
  isSubscription: boolean
  isNonRenewing: boolean
  /** Signed by Xcode, which numbers the transactions of every device from 0. The keys then need their subscriber too. */
  isLocal: boolean
  transactionId: string
  originalTransactionId: string
  /** The account token in the signed transaction, as a lower-case UUID. */
  appAccountToken: string | null
  ownershipType: OwnershipType
  signedAt: number
  observations: Observation[]
}

/** `field` is the first member that is missing, of a wrong type or out of range. */
export type DecodeResult =
  | { ok: true; transaction: DecodedTransaction }
  | { ok: false; reason: 'malformed'; field: string }

/** Reads a payload whose signature was verified. */
export function decodeTransaction(payload: unknown): DecodeResult {
  if (!checker().Check(payload)) return malformed(firstProblem(payload))
  // Without an end date it would count as a subscription that never ends.
  if (isSubscription(payload) && payload.expiresDate === undefined) return malformed('expiresDate')
  return { ok: true, transaction: toTransaction(payload) }
}

const malformed = (field: string): DecodeResult => ({ ok: false, reason: 'malformed', field })

const firstProblem = (payload: unknown): string =>
  checker().Errors(payload).First()?.path.slice(1).split('/')[0] || 'payload'

/** A product type that Apple adds later counts as a subscription when it has an end date. */
function isSubscription({ type, expiresDate }: TransactionPayload): boolean {
  if (type === 'Auto-Renewable Subscription') return true
  const isOneTime = [NON_RENEWING, 'Consumable', NON_CONSUMABLE].includes(type)
  return !isOneTime && expiresDate !== undefined
}

function toTransaction(payload: TransactionPayload): DecodedTransaction {
  const { transactionId, originalTransactionId } = payload
  return {
    bundleId: payload.bundleId,
    storeProductId: payload.productId,
    environment: payload.environment === 'Production' ? 'PRODUCTION' : 'SANDBOX',
    chainKey: chainKeyOf(payload),
    isSubscription: isSubscription(payload),
    isNonRenewing: isNonRenewing(payload),
    isLocal: isLocal(payload),
    transactionId,
    originalTransactionId,
    appAccountToken: readUuid(payload.appAccountToken),
    ownershipType: ownershipOf(payload),
    signedAt: payload.signedDate,
    observations: [toReport(payload), ...markersOf(payload)],
  }
}

/**
 * A restore, or another device, makes a new transaction id for a non-consumable that was sold once; the original id stays.
 * Each purchase date of a non-renewing subscription is a purchase of its own. A consumable has the id of its transaction.
 */
function chainKeyOf(payload: TransactionPayload): string {
  const { transactionId, originalTransactionId, purchaseDate, originalPurchaseDate } = payload
  const isKeyedByOriginal = isSubscription(payload) || isShared(payload) || payload.type === NON_CONSUMABLE
  if (isLocal(payload)) {
    const [id, date] = isKeyedByOriginal ? [originalTransactionId, originalPurchaseDate] : [transactionId, purchaseDate]
    return `${id}@${date}`
  }
  if (isKeyedByOriginal) return originalTransactionId
  if (!isNonRenewing(payload)) return transactionId
  return purchaseDate === originalPurchaseDate ? originalTransactionId : `${originalTransactionId}@${purchaseDate}`
}

const isLocal = ({ environment }: TransactionPayload): boolean =>
  environment === 'Xcode' || environment === 'LocalTesting'

const isShared = (payload: TransactionPayload): boolean => ownershipOf(payload) === 'FAMILY_SHARED'

const NON_CONSUMABLE = 'Non-Consumable'
const NON_RENEWING = 'Non-Renewing Subscription'

const isNonRenewing = ({ type }: TransactionPayload): boolean => type === NON_RENEWING

/** The id of the charge. Xcode gives one number to the transactions of many devices and days. */
const chargeIdOf = (payload: TransactionPayload): string =>
  isLocal(payload) ? `${payload.transactionId}@${payload.purchaseDate}` : payload.transactionId

/** What all copies of the transaction have in common; null when the store makes no copies or does not say. */
function saleOf(payload: TransactionPayload): string | null {
  if (isLocal(payload)) return null
  if (payload.type === NON_CONSUMABLE || isNonRenewing(payload)) return payload.originalTransactionId
  const { webOrderLineItemId = '0' } = payload
  return isSubscription(payload) && webOrderLineItemId !== '0' ? `item:${webOrderLineItemId}` : null
}

const markersOf = (payload: TransactionPayload): Marker[] =>
  payload.revocationDate === undefined ? [] : [toMarker(payload, payload.revocationDate)]

// The app passes our token to the store as a UUID. Any other text was not made by us; the purchase still counts.
const readUuid = (token: string | undefined): string | null =>
  token && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(token) ? accountTokenOf(token.toLowerCase()) : null

const ownershipOf = ({ inAppOwnershipType }: TransactionPayload): OwnershipType =>
  inAppOwnershipType === 'FAMILY_SHARED' ? 'FAMILY_SHARED' : 'PURCHASED'

function toReport(payload: TransactionPayload): Report {
  const { signedDate } = payload
  const report: Report = { kind: 'REPORT', id: `${chargeIdOf(payload)}@${signedDate}`, eventAt: signedDate }
  const ended = payload.isUpgraded ? { ended: replacedAt(payload) } : {}
  return { ...report, transaction: toPart(payload), ...ended }
}

/**
 * The payload has no date for the upgrade. It happened before the payload was signed and before the end of the period,
 * so the earlier of both instants is taken.
 */
const replacedAt = ({ signedDate, expiresDate }: TransactionPayload): NonNullable<Report['ended']> => ({
  at: Math.min(signedDate, expiresDate ?? signedDate),
  reason: 'REPLACED',
})

function toPart(payload: TransactionPayload): TransactionPart {
  const sale = saleOf(payload)
  return {
    transactionId: chargeIdOf(payload),
    ...(sale !== null && { sale }),
    isRevoked: payload.revocationDate !== undefined,
    ...(isNonRenewing(payload) && { isNonRenewing: true }),
    storeProductId: payload.productId,
    purchaseDate: payload.purchaseDate,
    originalPurchaseDate: payload.originalPurchaseDate,
    expiresAt: payload.expiresDate ?? null,
    isTrial: isTrial(payload),
    isIntroOffer: payload.offerType === INTRODUCTORY_OFFER,
    offerId: payload.offerIdentifier ?? null,
    price: priceOf(payload),
    ...periodOf(payload),
    ...countryOf(payload),
    quantity: payload.quantity ?? 1,
    ownershipType: ownershipOf(payload),
    reason: payload.transactionReason === 'RENEWAL' ? 'RENEWAL' : 'PURCHASE',
  }
}

function countryOf({ storefront = '' }: TransactionPayload): Pick<TransactionPart, 'country'> {
  const country = countryOfLongCode(storefront)
  return country === null ? {} : { country }
}

/** A plan of months within a longer subscription is charged each month, whatever the product is called. */
function periodOf({ offerPeriod, billingPlanType }: TransactionPayload): Pick<TransactionPart, 'period'> {
  if (offerPeriod !== undefined && isPeriod(offerPeriod)) return { period: offerPeriod }
  return billingPlanType === 'MONTHLY' ? { period: 'P1M' } : {}
}

/** The `offerType` of an introductory offer. */
export const INTRODUCTORY_OFFER = 1

const isTrial = ({ offerDiscountType, offerType, price }: TransactionPayload): boolean =>
  offerDiscountType === 'FREE_TRIAL' || (offerType === INTRODUCTORY_OFFER && price === 0)

/** What this person was charged. A family member's copy shows the price that the buyer paid in another transaction. */
function priceOf(payload: TransactionPayload): Money | null {
  const { price, currency } = payload
  if (price === undefined || currency === undefined || ownershipOf(payload) === 'FAMILY_SHARED') return null
  return fromThousandths(price, currency)
}

/**
 * Id and time are those of the refund, not of the signing. So a receipt and a notification about the same refund give
 * the same marker in any order, and a second refund after a reversal gives another marker.
 */
function toMarker(payload: TransactionPayload, revokedAt: number): Marker {
  const transactionId = chargeIdOf(payload)
  const kind = isShared(payload) ? 'REVOCATION' : 'REFUND'
  const id = `${kind.toLowerCase()}:${transactionId}@${revokedAt}`
  const terms = kind === 'REFUND' ? termsOf(priceOf(payload), readRefundTerms(payload) ?? {}) : { amount: null }
  return { kind, id, eventAt: revokedAt, transactionId, ...terms }
}
