import type { ProductType } from '../../stores/observation'
import { scopedId } from './line-scope'
import { isCharge, isGivenBack, isPaidCharge, isReturn } from './lines'
import type { TransactionLine } from './model'

/** A currency that a product grants, with its amount. */
export interface CurrencyGrantRow {
  currencyId: string
  amount: bigint
  grantOn: 'PURCHASE' | 'RENEWAL' | 'BOTH'
}

/** The parts of a purchase that currency grants depend on. */
export interface GrantSource {
  purchaseId: string
  productType: ProductType
  /** See `scopedId`. */
  chargeScope: string
  /** All lines of the purchase, from `transactionLines`. */
  lines: readonly TransactionLine[]
  /** The grant rows of the product with this store product id; empty when there is none. */
  rowsOf: (storeProductId: string) => readonly CurrencyGrantRow[]
}

/** `reference` is unique per project and currency, so insert-or-ignore by it grants once. */
export interface CurrencyGrant {
  currencyId: string
  amount: bigint
  reference: string
  trigger: 'PURCHASE' | 'RENEWAL'
  storeTransactionId: string
}

/**
 * All grants for the lines of a purchase (wire 5.7), already booked or not. The first paid charge is the PURCHASE,
 * unless the store calls it a renewal. Each later one is a RENEWAL, also after the purchase had ended. A change of
 * product grants nothing: it may cost almost nothing, and a customer could repeat it without limit.
 */
export const currencyGrants = (source: GrantSource): CurrencyGrant[] =>
  triggersOf(source).flatMap((trigger) => grantsOf(trigger, source))

/**
 * The charges that were refunded in full, without a later reversal. The setting `clawback` says what happens to everything
 * that they granted, whatever the catalogue grants by now. Without those of which `partReturns` takes back.
 */
export const clawbackCandidates = (source: Omit<GrantSource, 'rowsOf'>): Trigger[] =>
  triggersOf(source).filter(
    ({ line: { storeTransactionId: id } }) => isGivenBack(id, source.lines) && !isReturnedInParts(id, source),
  )

/** Whether some of a charge was given back. */
export const haveReturns = (lines: readonly TransactionLine[]): boolean => lines.some(isReturn)

/** What one refund of a part of a consumable takes back of its grant. */
export interface PartReturn {
  reference: string
  currencyId: string
  /** 0 when a later reversal gives it back. */
  amount: bigint
  /** Names the refund within the grant. */
  refund: string
}

/**
 * The refunds of consumables that were refunded in parts, in order. `grants` are those of the lines, with the amounts that
 * were booked. An amount is rounded down. It changes when an earlier
 * refund or reversal becomes known, for a refund returns no more than was still paid.
 */
export const partReturns = (source: Omit<GrantSource, 'rowsOf'>, grants: readonly CurrencyGrant[]): PartReturn[] =>
  grants
    .filter(({ storeTransactionId }) => isReturnedInParts(storeTransactionId, source))
    .flatMap((grant) => returnsOf(grant, source.lines))

/** What a refund of a grant takes, and whether it was reversed up to some line. */
interface Taking {
  line: TransactionLine
  amount: bigint
  isReversed: boolean
}

function returnsOf(grant: CurrencyGrant, lines: GrantSource['lines']): PartReturn[] {
  const { reference, currencyId } = grant
  const own = lines.filter(({ storeTransactionId }) => storeTransactionId === grant.storeTransactionId)
  return takingsOf(grant, own).flatMap(({ line: { occurredAt, refundId = String(occurredAt) }, amount, isReversed }) =>
    amount === 0n ? [] : [{ reference, currencyId, amount: isReversed ? 0n : amount, refund: refundId }],
  )
}

/** `own`: the lines of one charge, in order. */
function takingsOf({ amount: granted }: CurrencyGrant, own: readonly TransactionLine[]): Taking[] {
  const price = own.find(isCharge)?.price?.amountMicros ?? null
  const takings: Taking[] = []
  let kept = price ?? Number.POSITIVE_INFINITY
  for (const line of own) {
    const open = takings.filter(({ isReversed }) => !isReversed)
    if (line.kind === 'REFUND_REVERSAL') for (const one of reversedBy(line, open)) one.isReversed = true
    if (!isCharge(line)) kept += line.price?.amountMicros ?? 0
    if (!isReturn(line)) continue
    const amount = kept <= 0 ? restOf(granted, open) : partOf(granted, line, price)
    takings.push({ line, amount, isReversed: false })
  }
  return takings
}

/** The refund that returns the last of the price takes the last of the grant, also what was rounded down before. */
function restOf(granted: bigint, open: readonly Taking[]): bigint {
  const rest = open.reduce((left, { amount }) => left - amount, granted)
  return rest > 0n ? rest : 0n
}

/** A reversal of everything reverses every refund before it; one of less, the last refund of exactly that amount. */
function reversedBy({ price }: TransactionLine, open: readonly Taking[]): readonly Taking[] {
  const given = open.reduce((sum, { line }) => sum - (line.price?.amountMicros ?? 0), 0)
  if (price === null || price.amountMicros >= given) return open
  const same = open.findLast(({ line }) => line.price?.amountMicros === -price.amountMicros)
  return same ? [same] : []
}

const WHOLE_SHARE = 100_000n

/** Without a price and a stated share, it was the whole. */
function partOf(amount: bigint, { share, price }: TransactionLine, whole: number | null): bigint {
  if (share !== undefined) return (amount * BigInt(share)) / WHOLE_SHARE
  return whole && price ? (amount * BigInt(Math.abs(price.amountMicros))) / BigInt(whole) : amount
}

function isReturnedInParts(storeTransactionId: string, { productType, lines }: Omit<GrantSource, 'rowsOf'>): boolean {
  if (productType !== 'CONSUMABLE') return false
  const own = lines.filter((line) => line.storeTransactionId === storeTransactionId)
  const whole = own.find(isCharge)?.price?.amountMicros
  return own.some(
    (line) => isReturn(line) && (line.share !== undefined || (whole && line.price && -line.price.amountMicros < whole)),
  )
}

/**
 * References that were granted for this purchase before and that its present lines do not justify: for example a
 * RENEWAL that turned out to be the conversion of a trial, which is a PURCHASE. The caller takes them back, so that the
 * balance does not depend on the order of observations.
 */
export function unjustifiedReferences(source: GrantSource, granted: readonly string[]): string[] {
  const justified = new Set(triggersOf(source).map(({ reference }) => reference))
  return granted.filter((reference) => !justified.has(reference))
}

/** A charge that grants, and the reference under which it does. */
export interface Trigger {
  line: TransactionLine
  trigger: CurrencyGrant['trigger']
  reference: string
}

/** The charges of a purchase that grant, in order. */
export function triggersOf({ purchaseId, productType, chargeScope, lines }: Omit<GrantSource, 'rowsOf'>): Trigger[] {
  const nameOf = ({ storeTransactionId }: TransactionLine) => scopedId(storeTransactionId, chargeScope)
  const renewal = (line: TransactionLine): Trigger => ({
    line,
    trigger: 'RENEWAL',
    reference: `renewal:${nameOf(line)}`,
  })
  const charges = lines.filter(isPaidCharge).sort((a, b) => a.renewalNumber - b.renewalNumber)
  if (productType === 'CONSUMABLE') {
    return charges.map((line) => ({ line, trigger: 'PURCHASE', reference: `txn:${nameOf(line)}` }))
  }
  const [first, ...later] = charges
  if (!first) return []
  // No charge of this purchase came before: it continues another purchase, as an Android upgrade does.
  const isChange = lines.filter(isCharge).every(({ occurredAt }) => occurredAt >= first.occurredAt)
  const opening = first.kind === 'RENEWAL' ? renewal(first) : purchase(first, purchaseId)
  const renewals = later.filter(({ kind }) => kind !== 'PRODUCT_CHANGE' && productType === 'SUBSCRIPTION')
  return [...(isChange && first.kind === 'PRODUCT_CHANGE' ? [] : [opening]), ...renewals.map(renewal)]
}

const purchase = (line: TransactionLine, purchaseId: string): Trigger => ({
  line,
  trigger: 'PURCHASE',
  reference: `purchase:${purchaseId}`,
})

function grantsOf({ line, trigger, reference }: Trigger, { productType, rowsOf }: GrantSource): CurrencyGrant[] {
  const times = productType === 'CONSUMABLE' ? line.quantity : 1
  return mergeRows(rowsOf(line.storeProductId).filter(({ grantOn }) => grantOn === trigger || grantOn === 'BOTH')).map(
    ([currencyId, amount]) => ({
      currencyId,
      amount: amount * BigInt(times),
      reference,
      trigger,
      storeTransactionId: line.storeTransactionId,
    }),
  )
}

/**
 * One amount per currency, for the reference is unique within a currency: the amounts of a PURCHASE row and a BOTH row
 * are added.
 */
function mergeRows(rows: readonly CurrencyGrantRow[]): [currencyId: string, amount: bigint][] {
  const amounts = new Map<string, bigint>()
  for (const { currencyId, amount } of rows) amounts.set(currencyId, (amounts.get(currencyId) ?? 0n) + amount)
  return [...amounts]
}
