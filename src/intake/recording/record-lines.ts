import type { Tx } from '../../base/context'
import { type Linking, type StoredLines, storeLines } from '../../people/purchases/line-rows'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { LineChange } from './grant-booking'
import { withoutImported } from './imported-charges'

export interface RecordedLines {
  stored: StoredLines
  /** The change, with the lines that have a product only now and whose grants are due. */
  lines: LineChange
}

/** Saves the money lines of a purchase after a change of its observations. */
export async function recordLines(
  tx: Tx,
  project: ProjectState,
  row: PurchaseRow,
  change: LineChange,
  how: { isNew: boolean; linking: Linking },
): Promise<RecordedLines> {
  const stored = await storeLines(tx, project, row, how.isNew, change.after, how.linking)
  return { stored, lines: { ...change, linked: await withoutImported(tx, row.id, stored.linked) } }
}
