import type { ProductType } from '../../stores/observation'
import { isCharge, isGivenBack, isPaidCharge } from './lines'
import type { TransactionLine } from './model'

/** What a product grants of a currency. */
export interface CurrencyGrantRow {
  currencyId: string
  amount: number
  grantOn: 'PURCHASE' | 'RENEWAL' | 'BOTH'
}

/** A purchase, as far as currency grants depend on it. */
export interface GrantSource {
  purchaseId: string
  productType: ProductType
  /** All lines of the purchase, from `transactionLines`. */
  lines: readonly TransactionLine[]
  /** The rows of the product behind a store product id; empty when it has none. */
  rowsOf: (storeProductId: string) => readonly CurrencyGrantRow[]
}

/** `reference` is unique per project and currency: whoever inserts or ignores by it grants once. */
export interface CurrencyGrant {
  currencyId: string
  amount: number
  reference: string
  trigger: 'PURCHASE' | 'RENEWAL'
  storeTransactionId: string
}

/**
 * Everything the lines of a purchase grant (wire 5.7), told or not. The first paid charge is the PURCHASE, unless
 * the store calls it a renewal; each later one, bought again after a lapse included, is a RENEWAL. A change of
 * product grants nothing: it may cost next to nothing, and could be repeated at will.
 */
export const currencyGrants = (source: GrantSource): CurrencyGrant[] =>
  triggersOf(source).flatMap((trigger) => grantsOf(trigger, source))

/** Grants whose charge was given back in full and stays so; what becomes of them is the setting `clawback`. */
export function clawbackCandidates(source: GrantSource): CurrencyGrant[] {
  return currencyGrants(source).filter(({ storeTransactionId }) => isGivenBack(storeTransactionId, source.lines))
}

/**
 * Of the references that this purchase granted before, those that all its lines, as known now, do not justify: a
 * RENEWAL that turned out to be the conversion of a trial, which is a PURCHASE. The caller takes them back, so that
 * the balance does not depend on what was told first.
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

function triggersOf({ purchaseId, productType, lines }: GrantSource): Trigger[] {
  const charges = lines.filter(isPaidCharge).sort((a, b) => a.renewalNumber - b.renewalNumber)
  if (productType === 'CONSUMABLE') {
    return charges.map((line) => ({ line, trigger: 'PURCHASE', reference: `txn:${line.storeTransactionId}` }))
  }
  const [first, ...later] = charges
  if (!first) return []
  // Nothing came before in this purchase: it continues another one, as an Android upgrade does.
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

const renewal = (line: TransactionLine): Trigger => ({
  line,
  trigger: 'RENEWAL',
  reference: `renewal:${line.storeTransactionId}`,
})

function grantsOf({ line, trigger, reference }: Trigger, { productType, rowsOf }: GrantSource): CurrencyGrant[] {
  const times = productType === 'CONSUMABLE' ? line.quantity : 1
  return mergeRows(rowsOf(line.storeProductId).filter(({ grantOn }) => grantOn === trigger || grantOn === 'BOTH')).map(
    ([currencyId, amount]) => ({
      currencyId,
      amount: amount * times,
      reference,
      trigger,
      storeTransactionId: line.storeTransactionId,
    }),
  )
}

/** One amount per currency, for the reference is unique within it: a PURCHASE row and a BOTH row add up. */
function mergeRows(rows: readonly CurrencyGrantRow[]): [currencyId: string, amount: number][] {
  const amounts = new Map<string, number>()
  for (const { currencyId, amount } of rows) amounts.set(currencyId, (amounts.get(currencyId) ?? 0) + amount)
  return [...amounts]
}
