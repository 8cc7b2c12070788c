import { sha256Hex } from '../../../base/lib/hash'
import { addPeriod, isPeriod } from '../../../base/lib/period'
import { MAX_INSTANT } from '../../../base/lib/time'
import { refundMarker } from '../../../stores/android/voided'
import type { Marker, RenewalPart, Report, TransactionPart } from '../../../stores/observation'
import type { ImportRow } from '../row'
import type { RowIdentity } from './row-identity'

/** A row as observations of its purchase. */
export interface RowObservations {
  report: Report
  /** The refund that the row reports. */
  marker: Marker | null
}

/**
 * The content of a row, with the instant of its last change. The id contains a hash of the content, so the same row in
 * another file is the same observation.
 *
 * @param importedAt the import does not believe dates after it
 */
export function observationsOf(row: ImportRow, identity: RowIdentity, importedAt: number): RowObservations {
  const content = {
    imported: identity.imported,
    transaction: transactionPart(row, identity, importedAt),
    ...renewalOf(row, identity, importedAt),
    ...grantEnd(row),
  }
  const eventAt = eventTime(row, importedAt)
  const hash = sha256Hex(JSON.stringify(content)).slice(0, 12)
  const id = `import:${identity.transactionId}@${eventAt}#${hash}`
  return { report: { kind: 'REPORT', id, eventAt, ...content }, marker: markerOf(row, identity, importedAt) }
}

/** When the row last changed; without that, its latest date. A planned end is no event. */
export function eventTime(row: ImportRow, importedAt: number): number {
  const { updatedAt, purchaseDate, originalPurchaseDate, refundedAt, cancelledAt, billingIssueAt } = row
  if (updatedAt !== null && updatedAt <= importedAt) return updatedAt
  const dates = [purchaseDate, originalPurchaseDate, refundedAt, cancelledAt, billingIssueAt]
  const past = dates.filter((date) => date !== null && date <= importedAt) as number[]
  return past.length === 0 ? importedAt : Math.max(...past)
}

function transactionPart(row: ImportRow, identity: RowIdentity, importedAt: number): TransactionPart {
  const { transactionId, originalTransactionId } = identity
  const purchaseDate = row.purchaseDate ?? assumedStart(row, identity, importedAt)
  return {
    transactionId,
    ...(isSoldOnce(row, identity) && { sale: originalTransactionId }),
    storeProductId:
      row.store === 'MANUAL'
        ? (identity.product?.id ?? row.productIdentifier ?? 'access')
        : (row.productIdentifier ?? ''),
    purchaseDate,
    originalPurchaseDate: row.originalPurchaseDate ?? purchaseDate,
    expiresAt: endOf(row, identity, purchaseDate),
    isTrial: row.isTrial ?? false,
    isIntroOffer: row.isIntroOffer ?? false,
    offerId: row.offerId,
    price: priceOf(row),
    quantity: Math.max(1, row.quantity ?? 1),
    ownershipType: row.ownershipType ?? 'PURCHASED',
    reason: reasonOf(row, transactionId, originalTransactionId),
  }
}

/** A restore made copies of what was sold once; the file tells them by the first transaction. */
const isSoldOnce = ({ store, originalTransactionId }: ImportRow, { imported, productType }: RowIdentity): boolean =>
  store === 'IOS_STORE' &&
  productType === 'NON_CONSUMABLE' &&
  imported === 'TRANSACTION' &&
  originalTransactionId !== null

/** A file with an end only: one period before it, when the catalogue knows the period. Never after the import. */
function assumedStart({ expiresDate }: ImportRow, { product }: RowIdentity, importedAt: number): number {
  const end = expiresDate ?? importedAt
  const period = product?.period
  if (!period || !isPeriod(period)) return Math.min(end, importedAt)
  return Math.min(end, importedAt, end - (addPeriod(end, period) - end))
}

/** A subscription without an end in the file would never end, so its period is taken from the catalogue. */
function endOf(row: ImportRow, { product, productType }: RowIdentity, purchaseDate: number): number | null {
  if (row.expiresDate !== null || productType !== 'SUBSCRIPTION' || row.store === 'MANUAL') return row.expiresDate
  const period = product?.period
  return period && isPeriod(period) ? Math.min(addPeriod(purchaseDate, period), MAX_INSTANT) : null
}

/** Nothing was charged for a grant, whatever its product costs; a family share was paid by another person. */
function priceOf({ store, ownershipType, price }: ImportRow): TransactionPart['price'] {
  const isOthers = store === 'MANUAL' || ownershipType === 'FAMILY_SHARED'
  return isOthers && price?.amountMicros !== 0 ? null : price
}

function reasonOf(
  { store, renewalNumber }: ImportRow,
  transactionId: string,
  originalTransactionId: string,
): TransactionPart['reason'] {
  if (store === 'MANUAL') return 'GRANT'
  if (store === 'ANDROID_STORE')
    return /\.\.\d+$/.test(transactionId) || (renewalNumber ?? 1) > 1 ? 'RENEWAL' : 'PURCHASE'
  if (renewalNumber !== null) return renewalNumber > 1 ? 'RENEWAL' : 'PURCHASE'
  return store === 'IOS_STORE' && transactionId !== originalTransactionId ? 'RENEWAL' : 'PURCHASE'
}

function renewalOf(row: ImportRow, identity: RowIdentity, importedAt: number): { renewal?: RenewalPart } {
  if (identity.productType !== 'SUBSCRIPTION' || row.store === 'MANUAL') return {}
  const renewal = { ...autoRenewal(row), ...problemOf(row), ...pauseOf(row, importedAt) }
  return Object.keys(renewal).length === 0 ? {} : { renewal }
}

function autoRenewal({ autoRenews, cancelledAt }: ImportRow): RenewalPart {
  const renews = autoRenews ?? (cancelledAt === null ? null : false)
  if (renews === null) return {}
  return !renews && cancelledAt !== null ? { autoRenews: false, cancelledAt } : { autoRenews: renews }
}

function problemOf({ billingIssueAt, gracePeriodExpiresDate }: ImportRow): RenewalPart {
  if (billingIssueAt === null) return {}
  return gracePeriodExpiresDate === null
    ? { billingTrouble: 'RETRY', gracePeriodExpiresAt: null }
    : { billingTrouble: 'GRACE', gracePeriodExpiresAt: gracePeriodExpiresDate }
}

/** A pause starts at the end of the paid period. One that was to end before the import is over. */
function pauseOf({ autoResumeAt, expiresDate }: ImportRow, importedAt: number): RenewalPart {
  if (autoResumeAt === null || autoResumeAt <= importedAt || expiresDate === null) return {}
  return { pausedAt: expiresDate, autoResumeAt }
}

/** As a grant that was made here: its end was set by the developer. */
const grantEnd = ({ store, expiresDate }: ImportRow): Pick<Report, 'ended'> =>
  store === 'MANUAL' && expiresDate !== null ? { ended: { at: expiresDate, reason: 'DEVELOPER' } } : {}

/** Has the id that live news of the same refund have, so that it counts once. */
function markerOf(row: ImportRow, { transactionId }: RowIdentity, importedAt: number): Marker | null {
  const { store, refundedAt, ownershipType } = row
  if (refundedAt === null) return null
  const eventAt = Math.min(refundedAt, importedAt)
  if (store === 'ANDROID_STORE') return refundMarker(transactionId, eventAt)
  const kind = ownershipType === 'FAMILY_SHARED' ? 'REVOCATION' : 'REFUND'
  const id =
    store === 'IOS_STORE'
      ? `${kind.toLowerCase()}:${transactionId}@${refundedAt}`
      : `import:${transactionId}@${refundedAt}`
  return { kind, id, eventAt, transactionId, amount: null }
}
