import type { Tx } from '../../base/context'
import { deleteAliases, insertAliases } from '../../people/purchases/alias-queries'
import { type StoredLines, storeLines } from '../../people/purchases/line-rows'
import type { TransactionLine } from '../../people/purchases/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { Observation } from '../../stores/observation'
import type { LineChange } from './grant-booking'
import { linesOf, replacedPeriod } from './line-change'
import { type RecordedPurchase, runOnRecorded } from './on-recorded'

/** What is known of a purchase whose row is written. */
interface Known extends Omit<RecordedPurchase, 'saved'> {
  /** The observations that were known before. */
  known: readonly Observation[]
  /** Further names of the purchase, beside those of its copies. */
  aliases?: readonly string[] | undefined
}

/** The money lines of a purchase, before and after, as they are stored. */
export interface RecordedLines {
  lines: LineChange
  stored: StoredLines
  /** The product of the period that a plan change without a charge replaced. */
  replacedStoreProductId: string | undefined
}

/** Writes what follows from the observations of a purchase: money lines, names, and what the slices keep of them. */
export async function recordLines(tx: Tx, { known, aliases = [], ...recorded }: Known): Promise<RecordedLines> {
  const { project, purchase, isNew, observations } = recorded
  const lines = linesOf(known, observations, purchase.fold.productType)
  const stored = await storeLines(tx, project, purchase, isNew, lines.after)
  const names = [...aliases, ...namesOfCopies(purchase, lines.after)]
  await keepAliases(tx, purchase, names, new Set(namesOfCopies(purchase, lines.before)))
  await runOnRecorded(tx, { ...recorded, saved: stored.saved })
  return { lines, stored, replacedStoreProductId: replacedPeriod(observations)?.storeProductId }
}

async function keepAliases(
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

const namesOfCopies = (purchase: PurchaseRow, lines: readonly TransactionLine[]): string[] =>
  [...new Set(lines.flatMap(({ aliases = [] }) => aliases))].map(inNamesOf(purchase))

/** A family share must not be found by an id of the buyer, so its names also contain what its key contains. */
function inNamesOf({ fold, chainKey, originalTransactionId }: PurchaseRow): (id: string) => string {
  const holder = fold.ownershipType === 'FAMILY_SHARED' ? chainKey.slice(originalTransactionId.length) : ''
  return (id) => id + holder
}
