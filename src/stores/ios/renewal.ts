import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fromThousandths, type Money } from '../../base/lib/money'
import { MAX_INSTANT } from '../../base/lib/time'
import { type ExpiryReason, offerStateOf, type PurchaseEnvironment, type RenewalPart } from '../observation'
import { INTRODUCTORY_OFFER, MAX_PRICE } from './decode'

const Text = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,256}$' })
const Instant = Type.Integer({ minimum: 0, maximum: MAX_INSTANT })

/**
 * The signed renewal information of a subscription (Apple's JWSRenewalInfoDecodedPayload), with the members that are
 * used here. Enumerations that Apple may extend are plain text or numbers. Other members are ignored.
 */
export const RenewalPayload = Type.Object(
  {
    originalTransactionId: Text,
    autoRenewStatus: Type.Integer(),
    signedDate: Instant,
    environment: Type.Union([
      Type.Literal('Production'),
      Type.Literal('Sandbox'),
      Type.Literal('Xcode'),
      Type.Literal('LocalTesting'),
    ]),
    productId: Type.Optional(Text),
    autoRenewProductId: Type.Optional(Text),
    expirationIntent: Type.Optional(Type.Integer()),
    gracePeriodExpiresDate: Type.Optional(Instant),
    isInBillingRetryPeriod: Type.Optional(Type.Boolean()),
    offerType: Type.Optional(Type.Integer()),
    offerIdentifier: Type.Optional(Text),
    offerDiscountType: Type.Optional(Text),
    priceIncreaseStatus: Type.Optional(Type.Integer()),
    recentSubscriptionStartDate: Type.Optional(Instant),
    renewalDate: Type.Optional(Instant),
    renewalPrice: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PRICE })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    appAccountToken: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
export type RenewalPayload = Static<typeof RenewalPayload>

/** Verified renewal information; null = the store does not say. */
export interface DecodedRenewal {
  originalTransactionId: string
  environment: PurchaseEnvironment
  signedAt: number
  /** Store product of the current period; `nextStoreProductId` is that of the next period. */
  storeProductId: string | null
  nextStoreProductId: string | null
  autoRenews: boolean | null
  isInBillingRetry: boolean | null
  gracePeriodExpiresAt: number | null
  /** Undefined = a state that is unknown here; null = no price increase is pending. */
  priceConsent: RenewalPart['priceConsent']
  /** Why the subscription ended; null while it runs. */
  expiryReason: ExpiryReason | null
  offerId: string | null
  isIntroOffer: boolean
  /** Of the next period. */
  price: Money | null
  /** End of the current period. */
  renewsAt: number | null
}

/** `field` is the first member that is missing, of a wrong type or out of range. */
export type RenewalResult = { ok: true; renewal: DecodedRenewal } | { ok: false; reason: 'malformed'; field: string }

/** Reads a payload whose signature was verified. */
export function decodeRenewal(payload: unknown): RenewalResult {
  if (Value.Check(RenewalPayload, payload)) return { ok: true, renewal: toRenewal(payload) }
  return { ok: false, reason: 'malformed', field: firstProblem(payload) }
}

const firstProblem = (payload: unknown): string =>
  Value.Errors(RenewalPayload, payload).First()?.path.slice(1).split('/')[0] || 'payload'

const toRenewal = (payload: RenewalPayload): DecodedRenewal => ({
  originalTransactionId: payload.originalTransactionId,
  environment: payload.environment === 'Production' ? 'PRODUCTION' : 'SANDBOX',
  signedAt: payload.signedDate,
  storeProductId: payload.productId ?? null,
  nextStoreProductId: payload.autoRenewProductId ?? null,
  autoRenews: [false, true][payload.autoRenewStatus] ?? null,
  isInBillingRetry: payload.isInBillingRetryPeriod ?? null,
  gracePeriodExpiresAt: payload.gracePeriodExpiresDate ?? null,
  priceConsent: consentOf(payload.priceIncreaseStatus),
  expiryReason: payload.expirationIntent === undefined ? null : (REASONS[payload.expirationIntent] ?? 'UNKNOWN'),
  offerId: payload.offerIdentifier ?? null,
  isIntroOffer: payload.offerType === INTRODUCTORY_OFFER,
  price: priceOf(payload),
  renewsAt: payload.renewalDate ?? null,
})

const priceOf = ({ renewalPrice, currency }: RenewalPayload): Money | null =>
  renewalPrice === undefined || currency === undefined ? null : fromThousandths(renewalPrice, currency)

/** The index is Apple's `expirationIntent`. */
const REASONS: readonly (ExpiryReason | undefined)[] = [
  undefined,
  'UNSUBSCRIBED',
  'BILLING_ERROR',
  'PRICE_INCREASE',
  'PRODUCT_UNAVAILABLE',
  'UNKNOWN',
]

// The payload has this member only when Apple informed the customer about a price increase.
const consentOf = (status: number | undefined): RenewalPart['priceConsent'] =>
  status === undefined ? null : (['PENDING', 'ACCEPTED'] as const)[status]

/** What renewal information alone says, as of the instant `reportedAt` when the store reported it. */
export function toRenewalPart(renewal: DecodedRenewal, reportedAt: number): RenewalPart {
  const { autoRenews, priceConsent } = renewal
  return {
    ...(autoRenews === null ? {} : { autoRenews }),
    ...pendingOf(renewal),
    ...nextOf(renewal),
    ...billingProblemOf(renewal, reportedAt),
    ...(priceConsent === undefined ? {} : { priceConsent }),
    pausedAt: null, // This store has no pause.
  }
}

function pendingOf({ storeProductId, nextStoreProductId }: DecodedRenewal): RenewalPart {
  if (storeProductId === null || nextStoreProductId === null) return {}
  return { pendingStoreProductId: nextStoreProductId === storeProductId ? null : nextStoreProductId }
}

function nextOf(renewal: DecodedRenewal): Pick<RenewalPart, 'next'> {
  const { nextStoreProductId: storeProductId, price } = renewal
  return storeProductId === null || price === null
    ? {}
    : { next: { storeProductId, price, offer: offerStateOf(renewal) } }
}

/**
 * A grace period that still runs takes precedence: some notifications about a grace period say that no billing retry is
 * active (Apple Developer Forums 749813).
 */
function billingProblemOf({ isInBillingRetry, gracePeriodExpiresAt }: DecodedRenewal, reportedAt: number): RenewalPart {
  if (gracePeriodExpiresAt !== null && gracePeriodExpiresAt > reportedAt) {
    return { billingTrouble: 'GRACE', gracePeriodExpiresAt }
  }
  if (isInBillingRetry === null) return {}
  return { billingTrouble: isInBillingRetry ? 'RETRY' : 'NONE', gracePeriodExpiresAt: null }
}
