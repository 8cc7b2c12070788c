import type { Marker, Observation, Report, TransactionPart } from '../observation'
import { type DecodedTransaction, decodeTransaction } from './decode'
import { decodeEnvelope, type Envelope, type SealedEnvelope } from './notification-envelope'
import { notificationMarkers } from './notification-markers'
import { renewalReport } from './notification-renewal'
import { type RefundTerms, readRefundTerms } from './refund-terms'
import { type DecodedRenewal, decodeRenewal } from './renewal'

/** The store's decision about a refund that a customer requested. */
export type RefundOutcome = 'REFUND_APPROVED' | 'REFUND_DECLINED' | 'REFUND_REVERSED'

/** `NO_PURCHASE`: it is not about a purchase; `NO_CHANGE`: it changes nothing in the purchase record. */
export type IgnoredReason = 'NO_PURCHASE' | 'NO_CHANGE' | 'UNKNOWN_TYPE'

/** What the receiver of a notification has to do (wire 5.5). */
export type NotificationEffect =
  | { kind: 'TEST' }
  | { kind: 'IGNORED'; reason: IgnoredReason }
  /**
   * The store asks how far the purchase was used. `requestReason` is the customer's reason, in the store's spelling.
   */
  | { kind: 'CONSUMPTION_REQUEST'; transaction: DecodedTransaction; requestReason: string | null }
  | { kind: 'REFUND_OUTCOME'; outcome: RefundOutcome; transaction: DecodedTransaction }
  /** `observations` are all the observations to record; they equal those of `transaction`. */
  | {
      kind: 'OBSERVATIONS'
      transaction: DecodedTransaction
      observations: Observation[]
      /** Set when the notification is also the decision about a refund request. */
      refundOutcome: RefundOutcome | null
    }

export interface DecodedNotification extends Envelope {
  effect: NotificationEffect
}

/** The verified payloads of the tokens inside a notification; null = the notification has no such token. */
export interface NestedPayloads {
  transaction: unknown
  renewal: unknown
}

/** `detail` is the path of the invalid member, with dots: `data.signedTransactionInfo.productId`. */
export type NotificationDecodeResult =
  | { ok: true; notification: DecodedNotification }
  | { ok: false; reason: 'malformed' | 'bundle' | 'environment'; detail: string }

/** Reads a notification after all its signatures were verified. */
export function decodeNotification(payload: unknown, nested: NestedPayloads): NotificationDecodeResult {
  const decoded = decodeEnvelope(payload)
  return decoded.ok ? openEnvelope(decoded.envelope, nested) : decoded
}

/** Like `decodeNotification`, for an envelope that was already read. */
export function openEnvelope(sealed: SealedEnvelope, nested: NestedPayloads): NotificationDecodeResult {
  if (isUnknown(sealed.type)) return openUnknown(sealed, nested)
  const opened = concernsPurchase(sealed.type) ? openParts(sealed, nested) : null
  if (opened && !opened.ok) return opened
  const effect = opened ? effectOf(sealed, opened.parts) : idleEffect(sealed.type)
  return { ok: true, notification: { ...toEnvelope(sealed), effect } }
}

const PURCHASE_TYPES: ReadonlySet<string> = new Set([
  'SUBSCRIBED',
  'DID_RENEW',
  'DID_CHANGE_RENEWAL_STATUS',
  'DID_CHANGE_RENEWAL_PREF',
  'DID_FAIL_TO_RENEW',
  'GRACE_PERIOD_EXPIRED',
  'EXPIRED',
  'OFFER_REDEEMED',
  'PRICE_INCREASE',
  'RENEWAL_EXTENDED',
  'REFUND',
  'REFUND_DECLINED',
  'REFUND_REVERSED',
  'REVOKE',
  'ONE_TIME_CHARGE',
  'CONSUMPTION_REQUEST',
])

/** Whether a notification of this type needs the tokens inside it. For other known types they are not verified or read. */
export const concernsPurchase = (type: string): boolean => PURCHASE_TYPES.has(type)

/** Whether this release knows the type. Of an unknown one only the signed transaction and the renewal are read. */
export const isUnknown = (type: string): boolean => !PURCHASE_TYPES.has(type) && type !== 'TEST' && !IGNORED.has(type)

/** What a later version of the store sends must never be refused, so what cannot be read is ignored. */
function openUnknown(sealed: SealedEnvelope, nested: NestedPayloads): NotificationDecodeResult {
  const opened = nested.transaction === null ? null : openParts(sealed, nested)
  const named = { ...sealed, subtype: null, status: null }
  const effect = opened?.ok ? effectOf(named, opened.parts) : idleEffect(sealed.type)
  return { ok: true, notification: { ...toEnvelope(sealed), effect } }
}

const IGNORED: ReadonlyMap<string, IgnoredReason> = new Map([
  ['EXTERNAL_PURCHASE_TOKEN', 'NO_PURCHASE'],
  ['RESCIND_CONSENT', 'NO_PURCHASE'],
  ['RENEWAL_EXTENSION', 'NO_CHANGE'], // The store also sends one RENEWAL_EXTENDED for each extended subscription.
  ['METADATA_UPDATE', 'NO_CHANGE'],
  ['MIGRATION', 'NO_CHANGE'],
])

const idleEffect = (type: string): NotificationEffect =>
  type === 'TEST' ? { kind: 'TEST' } : { kind: 'IGNORED', reason: IGNORED.get(type) ?? 'UNKNOWN_TYPE' }

const toEnvelope = (sealed: SealedEnvelope): Envelope => {
  const { notificationId, type, subtype, environment, bundleId, appAppleId, signedAt } = sealed
  return { notificationId, type, subtype, environment, bundleId, appAppleId, signedAt }
}

/** The parts of a notification about a purchase, checked to agree with each other. */
interface OpenedParts extends OpenedTransaction {
  renewal: DecodedRenewal | null
}

interface OpenedTransaction {
  transaction: DecodedTransaction
  /** The report that a receipt of the same transaction gives. */
  report: Report
  part: TransactionPart
  terms: RefundTerms
}

type Refusal = Extract<NotificationDecodeResult, { ok: false }>
type Opened<Part> = { ok: true; parts: Part } | Refusal

function openParts(sealed: SealedEnvelope, nested: NestedPayloads): Opened<OpenedParts> {
  const opened = openTransaction(sealed, nested.transaction)
  if (!opened.ok) return opened
  const renewal = openRenewal(sealed, nested.renewal, opened.parts.transaction.originalTransactionId)
  return renewal.ok ? { ok: true, parts: { ...opened.parts, renewal: renewal.parts } } : renewal
}

const TRANSACTION = 'data.signedTransactionInfo'
const RENEWAL = 'data.signedRenewalInfo'

function openTransaction(sealed: SealedEnvelope, payload: unknown): Opened<OpenedTransaction> {
  if (payload === null) return refuse('malformed', TRANSACTION)
  const decoded = decodeTransaction(payload)
  if (!decoded.ok) return refuse('malformed', `${TRANSACTION}.${decoded.field}`)
  const { transaction } = decoded
  if (transaction.bundleId !== sealed.bundleId) return refuse('bundle', TRANSACTION)
  if (environmentNameOf(payload) !== sealed.environmentName) return refuse('environment', TRANSACTION)
  const terms = readRefundTerms(payload)
  const report = transaction.observations.find((one) => one.kind === 'REPORT')
  return terms && report?.transaction
    ? { ok: true, parts: { transaction, report, part: report.transaction, terms } }
    : refuse('malformed', `${TRANSACTION}.revocationPercentage`)
}

function openRenewal(
  sealed: SealedEnvelope,
  payload: unknown,
  originalTransactionId: string,
): Opened<DecodedRenewal | null> {
  if (payload === null) return { ok: true, parts: null }
  const decoded = decodeRenewal(payload)
  if (!decoded.ok) return refuse('malformed', `${RENEWAL}.${decoded.field}`)
  if (environmentNameOf(payload) !== sealed.environmentName) return refuse('environment', RENEWAL)
  return decoded.renewal.originalTransactionId === originalTransactionId
    ? { ok: true, parts: decoded.renewal }
    : refuse('malformed', `${RENEWAL}.originalTransactionId`)
}

// Both payloads were decoded, so both are objects.
const environmentNameOf = (payload: unknown): unknown => (payload as { environment?: unknown }).environment

const refuse = (reason: Refusal['reason'], detail: string): Refusal => ({ ok: false, reason, detail })

function effectOf(sealed: SealedEnvelope, parts: OpenedParts): NotificationEffect {
  const { transaction } = parts
  if (sealed.type === 'CONSUMPTION_REQUEST')
    return { kind: 'CONSUMPTION_REQUEST', transaction, requestReason: sealed.requestReason }
  if (sealed.type === 'REFUND_DECLINED') return { kind: 'REFUND_OUTCOME', outcome: 'REFUND_DECLINED', transaction }
  const observations = [...reportsOf(sealed, parts), ...markersOf(sealed, parts)]
  const refundOutcome = OUTCOMES.get(sealed.type) ?? null
  return { kind: 'OBSERVATIONS', transaction: { ...transaction, observations }, observations, refundOutcome }
}

const OUTCOMES: ReadonlyMap<string, RefundOutcome> = new Map([
  ['REFUND', 'REFUND_APPROVED'],
  ['REFUND_REVERSED', 'REFUND_REVERSED'],
])

/** First the report that a receipt of the transaction gives, then the report about renewal. */
function reportsOf(envelope: Envelope, { transaction, report, part, renewal }: OpenedParts): Report[] {
  const onward = renewalReport({ envelope, part, transactionSignedAt: transaction.signedAt, renewal })
  return onward ? [report, onward] : [report]
}

const markersOf = (envelope: SealedEnvelope, { transaction, part, terms }: OpenedParts): Marker[] =>
  notificationMarkers(envelope, transaction, part, terms)
