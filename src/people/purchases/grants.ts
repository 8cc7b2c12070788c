import type { ProductType } from '../../stores/observation'
import { scopedId } from './line-scope'
import { isCharge, isGivenBack, isPaidCharge } from './lines'
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
 * Grants whose charge was refunded in full, without a later reversal. The setting `clawback` says what happens to them.
 */
export function clawbackCandidates(source: GrantSource): CurrencyGrant[] {
  return currencyGrants(source).filter(({ storeTransactionId }) => isGivenBack(storeTransactionId, source.lines))
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

interface Trigger {
  line: TransactionLine
  trigger: CurrencyGrant['trigger']
  reference: string
}

function triggersOf({ purchaseId, productType, chargeScope, lines }: GrantSource): Trigger[] {
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
