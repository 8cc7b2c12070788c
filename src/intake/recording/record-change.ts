import type { Tx } from '../../base/context'
import { type Linking, type StoredLines, storeLines } from '../../people/purchases/line-rows'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import { keepAliases, namesOfCopies } from './copies'
import type { LineChange } from './grant-booking'
import { withoutImported } from './imported-charges'
import { linesOf, replacedPeriod } from './line-change'
import { type RecordedPurchase, runOnRecorded } from './on-recorded'

/** The known facts of a purchase whose row is written. */
interface Known extends Omit<RecordedPurchase, 'saved'> {
  /** The observations that were known before. */
  known: readonly Observation[]
  /** Further names of the purchase, besides those of its copies. */
  aliases?: readonly string[] | undefined
  linking: Linking
}

/** The money lines of a purchase, before and after, as they are stored. */
export interface RecordedChange {
  lines: LineChange
  stored: StoredLines
  /** The product of the period that a plan change without a charge replaced. */
  replacedStoreProductId: string | undefined
}

/** Writes what follows from the observations of a purchase: money lines, names, and what the slices keep of them. */
export async function recordChange(
  tx: Tx,
  { known, aliases = [], linking, ...recorded }: Known,
): Promise<RecordedChange> {
  const { project, purchase, isNew, observations } = recorded
  const change = linesOf(known, observations, purchase.fold.productType)
  const { stored, lines } = await recordLines(tx, project, purchase, change, { isNew, linking })
  const names = [...aliases, ...namesOfCopies(purchase, change.after)]
  await keepAliases(tx, purchase, names, new Set(namesOfCopies(purchase, change.before)))
  const isLinked = stored.linked.size > 0 || recorded.isLinked === true
  await runOnRecorded(tx, { ...recorded, ...(isLinked && { isLinked }), saved: stored.saved })
  return { lines, stored, replacedStoreProductId: replacedPeriod(observations)?.storeProductId }
}

interface RecordedLines {
  stored: StoredLines
  /** The change, with the lines that have a product only now and whose grants are due. */
  lines: LineChange
}

/** Saves the money lines of a purchase after a change of its observations. */
async function recordLines(
  tx: Tx,
  project: ProjectState,
  row: PurchaseRow,
  change: LineChange,
  how: { isNew: boolean; linking: Linking },
): Promise<RecordedLines> {
  const stored = await storeLines(tx, project, row, how.isNew, change.after, how.linking)
  return { stored, lines: { ...change, linked: await withoutImported(tx, row.id, stored.linked) } }
}
