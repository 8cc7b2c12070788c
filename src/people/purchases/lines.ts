import type { Money } from '../../base/lib/money'
import type { Marker, Observation, ProductType, TransactionPart } from '../../stores/observation'
import { type AdjustmentRecord, readHistory, standingMarkers, type TransactionRecord } from './history'
import type { TransactionKind, TransactionLine } from './model'

/** The period before a transaction, with what decides the kind of its charge. */
export interface EarlierPeriod {
  storeProductId: string
  isTrial: boolean
  /** Whether it still ran (or just ended) when the customer bought the next one. */
  isRunning: boolean
  /** What was charged for it, where that is known. */
  chargedStoreProductId?: string
}

/**
 * The money lines of a purchase, sorted by time and key. Each store transaction has one charge, followed by its refunds
 * and their reversals. The lines depend only on the *set* of observations, and the caller makes the stored lines equal
 * to them: a late observation may change a line's kind or number, or remove the line.
 *
 * Keys: the charge has `<transaction id>:CHARGE` whatever its kind, for a RENEWAL can turn out to be a TRIAL_CONVERSION
 * when the trial becomes known. Refunds and chargebacks have `<id>:REFUND`, their reversals `<id>:REFUND_REVERSAL`; a
 * second one of the same charge ends in `:2`, and so on.
 *
 * `replaced` is the period of another purchase that this one continues (Android's linked purchase token).
 */
export function transactionLines(
  observations: readonly Observation[],
  productType: ProductType,
  replaced: EarlierPeriod | null = null,
): TransactionLine[] {
  const { transactions, adjustments } = readHistory(observations)
  const kinds = transactions.map((record, index) => {
    const previous = transactions[index - 1]
    const isFirst = !replaced && transactions.slice(0, index).every(({ part }) => part.isUncharged)
    if (previous && isFirst) return firstCharge(record, productType)
    return chargeKind(record, productType, previous ? earlierPeriod(previous, record) : replaced)
  })
  const numbers = countRenewals(kinds)
  const periods = transactions.flatMap((record, index) =>
    linesOf(record, kinds[index] ?? 'RENEWAL', numbers[index] ?? 0, transactions[index - 1]),
  )
  const within = adjustments.flatMap((record) => adjustmentLines(record, periods))
  return [...periods, ...within].sort((a, b) => a.occurredAt - b.occurredAt || (a.key < b.key ? -1 : 1))
}

export const chargeKey = (storeTransactionId: string): string => `${storeTransactionId}:CHARGE`

/** Whether a line returns money: as a refund, or as a chargeback. */
export const isReturn = ({ kind }: Pick<TransactionLine, 'kind'>): boolean => kind === 'REFUND' || kind === 'CHARGEBACK'

/** Whether it is the charge of a period or of a one-time product that a customer pays for: no trial and no grant. */
export const isPaidCharge = (line: TransactionLine): boolean =>
  isCharge(line) && !line.isTrial && line.kind !== 'GRANT' && line.kind !== 'ADJUSTMENT'

export const isCharge = (line: Pick<TransactionLine, 'kind'>): boolean =>
  !isReturn(line) && line.kind !== 'REFUND_REVERSAL'

/** Whether a charge was returned completely, without a later reversal. */
export function isGivenBack(
  storeTransactionId: string,
  lines: readonly Pick<TransactionLine, 'storeTransactionId' | 'kind' | 'price'>[],
): boolean {
  const own = lines.filter((line) => line.storeTransactionId === storeTransactionId)
  const returns = own.filter(isReturn)
  if (returns.length === 0) return false
  if (own.every(({ price }) => price)) return own.reduce((sum, { price }) => sum + (price?.amountMicros ?? 0), 0) <= 0
  // Without amounts each refund counts as a complete one.
  return returns.length > own.filter(({ kind }) => kind === 'REFUND_REVERSAL').length
}

function chargeKind(
  { part }: TransactionRecord,
  productType: ProductType,
  earlier: EarlierPeriod | null,
): TransactionKind {
  if (part.reason === 'GRANT') return 'GRANT'
  if (productType === 'CONSUMABLE') return 'CREDIT_PURCHASE'
  if (productType === 'NON_CONSUMABLE') return 'NON_RENEWING_PURCHASE'
  if (part.isTrial) return 'TRIAL'
  if (!earlier) return part.reason === 'RENEWAL' ? 'RENEWAL' : 'INITIAL'
  // The end of a trial is its conversion, also with another product: it is the first charge, and grants as a purchase.
  if (part.reason === 'RENEWAL' && earlier.isTrial) return 'TRIAL_CONVERSION'
  if (part.reason === 'RENEWAL') return isChangedBy(part, earlier.chargedStoreProductId) ? 'PRODUCT_CHANGE' : 'RENEWAL'
  if (!earlier.isRunning) return 'REACTIVATION'
  if (earlier.storeProductId !== part.storeProductId) return 'PRODUCT_CHANGE'
  return earlier.isTrial ? 'TRIAL_CONVERSION' : 'RENEWAL'
}

/** Whether a renewal sells another product than the period before. */
const isChangedBy = (part: TransactionPart, chargedBefore: string | undefined): boolean =>
  part.mayChangeProduct === true && chargedBefore !== undefined && chargedBefore !== chargedProduct(part)

/** Another product of the period that started without a charge is not what was charged. */
const chargedProduct = (part: TransactionPart): string => part.chargedStoreProductId ?? part.storeProductId

/** An item that was added within a period has access before its first charge, which the store calls a renewal. */
const firstCharge = (record: TransactionRecord, productType: ProductType): TransactionKind =>
  chargeKind({ ...record, part: { ...record.part, reason: 'PURCHASE' } }, productType, null)

function earlierPeriod({ part, expiresAt, markers }: TransactionRecord, next: TransactionRecord): EarlierPeriod {
  const at = next.part.purchaseDate
  // A store that replaces a period may end or refund it at the exact instant of the new purchase. Such a refund does
  // not count here.
  const { refundedAt, revokedAt } = standingMarkers(
    part,
    markers.filter(({ eventAt }) => eventAt < at),
  )
  const isRunning = refundedAt === null && revokedAt === null && (expiresAt === null || expiresAt >= at)
  const { storeProductId, isTrial } = part
  return { storeProductId, isTrial, isRunning, chargedStoreProductId: chargedProduct(part) }
}

/** The number of paid periods before each one; at least 1 when the store calls the first known one a renewal. */
function countRenewals(kinds: readonly TransactionKind[]): number[] {
  let paid = kinds.find((kind) => kind !== 'TRIAL') === 'RENEWAL' ? 1 : 0
  return kinds.map((kind) => {
    if (kind === 'CREDIT_PURCHASE' || kind === 'NON_RENEWING_PURCHASE') return 0
    return kind === 'TRIAL' ? paid : paid++
  })
}

function linesOf(
  { part, aliases, markers, isStandIn }: TransactionRecord,
  kind: TransactionKind,
  renewalNumber: number,
  previous: TransactionRecord | undefined,
): TransactionLine[] {
  // The buyer of a family share paid, in another transaction.
  if (part.ownershipType === 'FAMILY_SHARED' || isStandIn) return []
  const isRenewedOther = kind === 'PRODUCT_CHANGE' && part.reason === 'RENEWAL'
  const charge: TransactionLine = {
    key: chargeKey(part.transactionId),
    storeTransactionId: part.transactionId,
    ...(aliases.length > 0 && { aliases }),
    kind,
    price: part.isTrial ? freeOf(part.price) : part.price,
    ...(part.period !== undefined && { period: part.period }),
    occurredAt: part.purchaseDate,
    storeProductId: chargedProduct(part),
    ...(isRenewedOther && previous && { changedFrom: chargedProduct(previous.part) }),
    isTrial: part.isTrial,
    quantity: part.quantity,
    renewalNumber,
  }
  return [charge, ...returnLines(charge, markers)]
}

/** A charge within a period has the number of the period. */
function adjustmentLines({ part, markers }: AdjustmentRecord, periods: readonly TransactionLine[]): TransactionLine[] {
  const running = periods.findLast((line) => isCharge(line) && line.occurredAt <= part.chargedAt)
  const charge: TransactionLine = {
    key: chargeKey(part.transactionId),
    storeTransactionId: part.transactionId,
    kind: 'ADJUSTMENT',
    price: part.price,
    occurredAt: part.chargedAt,
    storeProductId: part.storeProductId,
    isTrial: false,
    quantity: part.quantity,
    renewalNumber: running?.renewalNumber ?? 0,
  }
  return [charge, ...returnLines(charge, markers)]
}

// Some stores report the price of the period after the trial.
const freeOf = (price: Money | null): Money | null => price && { amountMicros: 0, currency: price.currency }

/** Micros of a charge that the seller still has, and micros that were returned; null = some, of an unknown amount. */
interface Balance {
  kept: number | null
  given: number | null
}

function returnLines(charge: TransactionLine, markers: readonly Marker[]): TransactionLine[] {
  if (charge.isTrial || charge.kind === 'GRANT') return []
  const lines: TransactionLine[] = []
  const price = charge.price?.amountMicros ?? null
  let balance: Balance = { kept: price, given: 0 }
  for (const marker of markers) {
    const isReversal = marker.kind === 'REVERSAL'
    const amount = movedAmount(isReversal ? balance.given : balance.kept, marker, charge.price)
    if (amount === 0) continue
    balance = isReversal ? takeAgain(balance, amount, price) : giveBack(balance, amount)
    lines.push(returnLine(charge, marker, isReversal || amount === null ? amount : -amount, lines))
  }
  return lines
}

/**
 * How much of the available amount a marker moves. It never moves more, so a second refund of a charge moves nothing.
 */
function movedAmount(there: number | null, { amount }: Marker, price: Money | null): number | null {
  const stated = amount && (!price || amount.currency === price.currency) ? amount.amountMicros : null
  if (there === null) return stated
  return Math.min(stated ?? there, there)
}

const giveBack = ({ kept, given }: Balance, amount: number | null): Balance =>
  kept === null || amount === null ? { kept: 0, given: amount } : { kept: kept - amount, given: (given ?? 0) + amount }

function takeAgain({ given }: Balance, amount: number | null, price: number | null): Balance {
  const left = given === null || amount === null ? 0 : given - amount
  return { kept: price === null ? (left === 0 ? null : 0) : price - left, given: left }
}

function returnLine(
  charge: TransactionLine,
  marker: Marker,
  micros: number | null,
  earlier: readonly TransactionLine[],
): TransactionLine {
  const currency = [charge.price, marker.amount, ...earlier.map(({ price }) => price)].find((money) => money)?.currency
  const kind = marker.kind === 'REVERSAL' ? 'REFUND_REVERSAL' : marker.isChargeback ? 'CHARGEBACK' : 'REFUND'
  return {
    ...charge,
    key: returnKey(charge.storeTransactionId, kind === 'REFUND_REVERSAL', earlier),
    kind,
    price: micros === null || currency === undefined ? null : { amountMicros: micros, currency },
    occurredAt: marker.eventAt,
    ...(marker.share !== undefined && { share: marker.share }),
    ...(marker.kind !== 'REVERSAL' && marker.amount !== null && { refundId: marker.id }),
  }
}

function returnKey(storeTransactionId: string, isReversal: boolean, earlier: readonly TransactionLine[]): string {
  const number = earlier.filter((line) => isReturn(line) !== isReversal).length + 1
  const name = `${storeTransactionId}:${isReversal ? 'REFUND_REVERSAL' : 'REFUND'}`
  return number === 1 ? name : `${name}:${number}`
}
