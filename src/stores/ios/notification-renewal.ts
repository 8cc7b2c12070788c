import type { ExpiryReason, RenewalPart, Report, TransactionPart } from '../observation'
import type { Envelope } from './notification-envelope'
import { type DecodedRenewal, toRenewalPart } from './renewal'

/** The verified and checked parts of a notification about a purchase. */
export interface NotificationContent {
  envelope: Envelope
  /** The signed transaction, and its signing time. */
  part: TransactionPart
  transactionSignedAt: number
  renewal: DecodedRenewal | null
}

/**
 * The report about the renewal of the chain (wire 5.5). It starts from the renewal information; what the type of the
 * notification states takes precedence. Null when neither says anything.
 */
export function renewalReport(told: NotificationContent): Report | null {
  const { envelope, part, renewal } = told
  // Not earlier than its transaction: a billing problem concerns the transaction that is current when it is reported.
  const eventAt = Math.max(envelope.signedAt, told.transactionSignedAt)
  const said = { ...(renewal && toRenewalPart(renewal, eventAt)), ...meaningOf(envelope, renewal) }
  const end = endOf(told, eventAt)
  if (Object.keys(said).length === 0 && !end) return null
  const report: Report = { kind: 'REPORT', id: `renewal:${envelope.notificationId}`, eventAt, renewal: said }
  // An end concerns one transaction, so the report names it: another one may be current by then.
  return end ? { ...report, ...end, transaction: part } : report
}

/** The charge succeeded, or the store stopped trying. This store has no pause. */
const CALM: RenewalPart = { billingTrouble: 'NONE', gracePeriodExpiresAt: null, pausedAt: null }
const RETRYING: RenewalPart = { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }

/** What follows from the type alone, without the renewal information. */
function meaningOf({ type, subtype }: Envelope, renewal: DecodedRenewal | null): RenewalPart {
  switch (type) {
    case 'SUBSCRIBED':
    case 'DID_RENEW':
      return begun(renewal)
    case 'OFFER_REDEEMED':
      return subtype === 'INITIAL_BUY' || subtype === 'RESUBSCRIBE' ? begun(renewal) : preference(subtype, renewal)
    case 'DID_CHANGE_RENEWAL_PREF':
      return subtype === null ? { pendingStoreProductId: null } : preference(subtype, renewal)
    case 'DID_CHANGE_RENEWAL_STATUS':
      return autoRenewal(subtype)
    case 'DID_FAIL_TO_RENEW':
      return subtype === 'GRACE_PERIOD' ? inGrace(renewal) : RETRYING
    case 'GRACE_PERIOD_EXPIRED':
      return RETRYING
    case 'PRICE_INCREASE':
      return subtype === 'PENDING' || subtype === 'ACCEPTED' ? { priceConsent: subtype } : {}
    case 'EXPIRED':
      return CALM
    default:
      return {}
  }
}

/**
 * A period that was just bought or charged will renew unless the store says otherwise; an earlier cancellation is over.
 */
const begun = (renewal: DecodedRenewal | null): RenewalPart => ({ ...CALM, autoRenews: renewal?.autoRenews ?? true })

function preference(subtype: string | null, renewal: DecodedRenewal | null): RenewalPart {
  if (subtype === 'UPGRADE') return { pendingStoreProductId: null }
  const next = renewal?.nextStoreProductId
  return subtype === 'DOWNGRADE' && next ? { pendingStoreProductId: next } : {}
}

function autoRenewal(subtype: string | null): RenewalPart {
  if (subtype === 'AUTO_RENEW_ENABLED') return { autoRenews: true }
  return subtype === 'AUTO_RENEW_DISABLED' ? { autoRenews: false } : {}
}

function inGrace(renewal: DecodedRenewal | null): RenewalPart {
  const gracePeriodExpiresAt = renewal?.gracePeriodExpiresAt ?? null
  return { billingTrouble: 'GRACE', ...(gracePeriodExpiresAt === null ? {} : { gracePeriodExpiresAt }) }
}

type End = Pick<Report, 'ended' | 'extendedTo'>

function endOf({ envelope, part, renewal }: NotificationContent, eventAt: number): End | null {
  const { expiresAt } = part
  if (envelope.type === 'EXPIRED') {
    const reason = REASONS.get(envelope.subtype ?? '') ?? renewal?.expiryReason ?? 'UNKNOWN'
    return { ended: { at: Math.min(expiresAt ?? eventAt, eventAt), reason } }
  }
  if (envelope.type !== 'RENEWAL_EXTENDED' || expiresAt === null) return null
  return { extendedTo: Math.max(expiresAt, renewal?.renewsAt ?? expiresAt) }
}

const REASONS: ReadonlyMap<string, ExpiryReason> = new Map([
  ['VOLUNTARY', 'UNSUBSCRIBED'],
  ['BILLING_RETRY', 'BILLING_ERROR'],
  ['PRICE_INCREASE', 'PRICE_INCREASE'],
  ['PRODUCT_NOT_FOR_SALE', 'PRODUCT_UNAVAILABLE'],
])
