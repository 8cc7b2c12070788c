import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { type LineReport, planChain, type RecordedLine, type ReportedChain } from './chain-plan'
import { CommitNews } from './commit-news'
import type { Owner, PurchaseReport } from './model'
import { recordObservations } from './record-observations'

export type { LineReport }

/** What a store says about a whole chain at one instant. */
export interface ChainReport extends Omit<PurchaseReport, 'lineKey' | 'productType' | 'observations'>, ReportedChain {}

/**
 * Records what a store says about all lines of a chain, in the caller's transaction. A line that the store no longer has
 * ends. The events tell the net change of all lines; those of lines that end come last. The caller holds the locks of the
 * chain and of its owner, and has read `held`, its rows, under them. Returns the rows afterwards, those of lines that the
 * store has first.
 */
export async function recordChain(
  tx: Tx,
  project: ProjectState,
  owner: Owner,
  held: readonly PurchaseRow[],
  chain: ChainReport,
  cause: EventCause,
): Promise<PurchaseRow[]> {
  const { fetchedAt: _, likelyType: __, replacesInOrder: ___, lines: ____, ...about } = chain
  const planned = planChain(await withObservations(tx, held), chain)
  const rows: PurchaseRow[] = []
  const own = new CommitNews()
  const news = owner.news ?? own
  let isFirst = owner.isNew
  for (const { heldId, ...line } of planned) {
    const row = held.find(({ id }) => id === heldId) ?? null
    const report = { ...about, ...line }
    const { purchase } = await recordObservations(tx, project, { ...owner, isNew: isFirst, news }, row, report, cause)
    if (!purchase) continue
    rows.push(purchase)
    isFirst = false
  }
  await own.tell(tx, project, cause)
  return rows
}

async function withObservations(tx: Tx, held: readonly PurchaseRow[]): Promise<RecordedLine[]> {
  const recorded: RecordedLine[] = []
  for (const row of held) recorded.push({ row, known: await listObservations(tx, row.id) })
  return recorded
}
