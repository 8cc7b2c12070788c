import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { type LineReport, planChain, type RecordedLine, type ReportedChain } from './chain-plan'
import { CommitNews } from './commit-news'
import type { Owner, PurchaseReport } from './model'
import { recordObservations } from './record-observations'

export type { LineReport }

/** What a store reports about a whole chain at one instant. */
export interface ChainReport extends Omit<PurchaseReport, 'lineKey' | 'productType' | 'observations'>, ReportedChain {}

/**
 * Records what a store reports about all lines of a chain, in the caller's transaction. A line that the store no longer
 * has ends. The events tell the net change of all lines; those of lines that end come last. The caller holds the locks
 * of the chain and of its owner, and has read `held`, its rows, under them. Returns the rows afterwards, those of lines
 * that the store has first.
 */
export async function recordChain(
  tx: Tx,
  project: ProjectState,
  owner: Owner,
  held: readonly PurchaseRow[],
  chain: ChainReport,
  cause: EventCause,
): Promise<PurchaseRow[]> {
  const rows: PurchaseRow[] = []
  const own = new CommitNews()
  const news = owner.news ?? own
  let isFirst = owner.isNew
  for (const { row, report } of await planReports(tx, held, chain)) {
    const { purchase } = await recordObservations(tx, project, { ...owner, isNew: isFirst, news }, row, report, cause)
    if (!purchase) continue
    rows.push(purchase)
    isFirst = false
  }
  await own.tell(tx, project, cause)
  return rows
}

/** A line of a chain, and its reports. */
export interface ChainLine {
  /** Null for a line that is new. */
  row: PurchaseRow | null
  report: PurchaseReport
}

/** What a report about a chain says of each of its lines; those that the store has first. */
export async function planReports(tx: Tx, held: readonly PurchaseRow[], chain: ChainReport): Promise<ChainLine[]> {
  const { fetchedAt: _, likelyType: __, replacesInOrder: ___, lines: ____, ...about } = chain
  const planned = planChain(await withObservations(tx, held), chain)
  return planned.map(({ heldId, ...line }) => ({
    row: held.find(({ id }) => id === heldId) ?? null,
    report: { ...about, ...line },
  }))
}

async function withObservations(tx: Tx, held: readonly PurchaseRow[]): Promise<RecordedLine[]> {
  const recorded: RecordedLine[] = []
  for (const row of held) recorded.push({ row, known: await listObservations(tx, row.id) })
  return recorded
}
