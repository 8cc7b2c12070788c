import type { Tx } from '../../base/context'
import type { Linking, StoredLines } from '../../people/purchases/line-rows'
import type { Observation } from '../../stores/observation'
import { keepAliases, namesOfCopies } from './copies'
import type { LineChange } from './grant-booking'
import { linesOf, replacedPeriod } from './line-change'
import { type RecordedPurchase, runOnRecorded } from './on-recorded'
import { recordLines } from './record-lines'

/** What is known of a purchase whose row is written. */
interface Known extends Omit<RecordedPurchase, 'saved'> {
  /** The observations that were known before. */
  known: readonly Observation[]
  /** Further names of the purchase, beside those of its copies. */
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
