import type { Report, TransactionPart } from '../../stores/observation'

/** What is known of a transaction, and whether only imported rows say so. */
export interface KnownPart {
  part: TransactionPart
  isImported: boolean
}

/** Adds what a report states. The newest report of a store counts; an imported row only fills in a price. */
export function setPart(parts: Map<string, KnownPart>, { transaction, imported }: Report): void {
  if (!transaction) return
  const known = parts.get(transaction.transactionId)
  const isImported = imported !== undefined
  const [part, other] =
    isImported && known && !known.isImported ? [known.part, transaction] : [transaction, known?.part ?? null]
  const price = part.price ?? other?.price ?? null
  const isStillImported = isImported && (known?.isImported ?? true)
  const priced = part.price === price ? part : { ...part, price }
  parts.set(transaction.transactionId, { part: priced, isImported: isStillImported })
}

export function newestOf(parts: Iterable<KnownPart>): KnownPart | null {
  let newest: KnownPart | null = null
  for (const one of parts) newest = newerOf(newest, one)
  return newest
}

export const newerOf = (newest: KnownPart | null, one: KnownPart | undefined): KnownPart | null =>
  one && (!newest || comparePurchases(newest.part, one.part) < 0) ? one : newest

export const comparePurchases = (a: TransactionPart, b: TransactionPart): number =>
  a.purchaseDate - b.purchaseDate || compareTransactionIds(a.transactionId, b.transactionId)

/** Decimal numbers come first, by value; all other ids follow, by their text. */
function compareTransactionIds(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  if (!isNumberA) return compareText(a, b)
  const difference = BigInt(a) - BigInt(b)
  return difference === 0n ? compareText(a, b) : difference < 0n ? -1 : 1
}

export const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
