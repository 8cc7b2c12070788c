import type { Tx } from '../../base/context'
import { deleteAliases, insertAliases } from '../../people/purchases/alias-queries'
import type { TransactionLine } from '../../people/purchases/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { Observation } from '../../stores/observation'

/** Saves further names of a purchase, but for those that are known. */
export async function keepAliases(
  tx: Tx,
  purchase: PurchaseRow,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const fresh = new Set(names.filter((name) => name !== purchase.chainKey && !known.has(name)))
  if (fresh.size > 0) await insertAliases(tx, purchase, [...fresh])
}

/** Saves the ids of the copies of the charges of a purchase. */
export const keepCopies = (tx: Tx, purchase: PurchaseRow, lines: readonly TransactionLine[]): Promise<void> =>
  keepAliases(tx, purchase, namesOfCopies(purchase, lines), new Set())

/** Forgets the ids that only observations named which were taken from the purchase. */
export async function dropCopies(
  tx: Tx,
  purchase: PurchaseRow,
  kept: readonly Observation[],
  removed: readonly Observation[],
): Promise<void> {
  const named = new Set(kept.flatMap(transactionOf))
  const gone = new Set(removed.flatMap(transactionOf).filter((id) => !named.has(id)))
  if (gone.size > 0) await deleteAliases(tx, purchase.id, [...gone].map(inNamesOf(purchase)))
}

const transactionOf = (one: Observation): string[] =>
  one.kind === 'REPORT' && one.transaction ? [one.transaction.transactionId] : []

/** What the copies of its charges are called among the names of a purchase. */
export const namesOfCopies = (purchase: PurchaseRow, lines: readonly TransactionLine[]): string[] =>
  [...new Set(lines.flatMap(({ aliases = [] }) => aliases))].map(inNamesOf(purchase))

/** A family share must not be found by an id of the buyer, so its names also contain what its key contains. */
function inNamesOf({ fold, chainKey, originalTransactionId }: PurchaseRow): (id: string) => string {
  const holder = fold.ownershipType === 'FAMILY_SHARED' ? chainKey.slice(originalTransactionId.length) : ''
  return (id) => id + holder
}
