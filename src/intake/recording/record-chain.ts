import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { type MatchedLine, matchLines, type ReportedLine } from '../../people/purchases/match-lines'
import { listObservations, type PurchaseRow } from '../../people/purchases/queries'
import { effectiveEnd } from '../../people/purchases/status'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, ProductType, Report } from '../../stores/observation'
import { CommitNews } from './commit-news'
import type { Owner, PurchaseReport } from './model'
import { recordObservations } from './record-observations'

/** What a store says about one line of a chain. */
export interface LineReport extends ReportedLine {
  /** The type of its product; null when the catalogue lacks it. */
  productType: ProductType | null
  /** The observations, given those that are recorded of the line. */
  observe(known: readonly Observation[]): readonly Observation[]
}

/** What a store says about a whole chain at one instant. */
export interface ChainReport extends Omit<PurchaseReport, 'lineKey' | 'productType' | 'observations'> {
  fetchedAt: number
  /** The type of a line whose product is in no catalogue and that is new. */
  likelyType: ProductType
  /** Whether an item that comes while another one goes replaces it. */
  replacesInOrder: boolean
  lines: readonly LineReport[]
}

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
  const rows: PurchaseRow[] = []
  const own = new CommitNews()
  const news = owner.news ?? own
  let isFirst = owner.isNew
  for (const { row, report } of await planChain(tx, held, chain)) {
    const { purchase } = await recordObservations(tx, project, { ...owner, isNew: isFirst, news }, row, report, cause)
    if (!purchase) continue
    rows.push(purchase)
    isFirst = false
  }
  await own.tell(tx, project, cause)
  return rows
}

/** A line of a chain, and what is reported about it. */
export interface ChainLine {
  /** Null for a line that is new. */
  row: PurchaseRow | null
  report: PurchaseReport
}

/** What a report about a chain says of each of its lines; those that the store has first. */
export async function planChain(tx: Tx, held: readonly PurchaseRow[], chain: ChainReport): Promise<ChainLine[]> {
  const matched = matchLines(
    held.map((row) => toHeldLine(row, chain.fetchedAt)),
    chain.lines,
    chain.replacesInOrder,
  )
  const ordered = matched.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent))
  const counted = await countedBefore(tx, held)
  const planned: ChainLine[] = []
  for (const line of ordered) {
    const row = held.find(({ id }) => id === line.heldId) ?? null
    planned.push({ row, report: await toReport(tx, chain, line, row, counted) })
  }
  return planned
}

const toHeldLine = (row: PurchaseRow, at: number) => {
  const { id, lineKey, formerLineKeys, fold } = row
  const { storeProductId, pendingStoreProductId } = fold
  const ends = { isEnded: isEndedAt(row, at), isOver: isOverAt(row, at) }
  return { id, lineKey, formerLineKeys, storeProductId, pendingStoreProductId, ...ends }
}

/** An answer that is older than what is recorded ends nothing. */
const isEndedAt = ({ fold }: PurchaseRow, at: number): boolean => at < fold.storeEventAt || fold.expiryReason !== null

function isOverAt(row: PurchaseRow, at: number): boolean {
  const end = effectiveEnd(row.fold)
  return isEndedAt(row, at) || (end !== null && end <= at)
}

async function toReport(
  tx: Tx,
  chain: ChainReport,
  line: MatchedLine<LineReport>,
  row: PurchaseRow | null,
  counted: ReadonlySet<string>,
): Promise<PurchaseReport> {
  const { fetchedAt, likelyType, replacesInOrder: _, lines: __, ...about } = chain
  const known = row ? await listObservations(tx, row.id) : []
  const told = line.reported.flatMap((one) => one.observe(known))
  const isGone = row !== null && !line.isPresent && !isOverAt(row, fetchedAt)
  return {
    ...about,
    lineKey: line.lineKey,
    productType: line.reported.at(-1)?.productType ?? row?.fold.productType ?? likelyType,
    observations: [...withoutCounted(told, row, counted), ...(isGone ? [goneReport(fetchedAt)] : [])],
  }
}

const goneReport = (fetchedAt: number): Report => ({
  kind: 'REPORT',
  id: `gone@${fetchedAt}`,
  eventAt: fetchedAt,
  renewal: { autoRenews: false, pendingStoreProductId: null, billingTrouble: 'NONE', pausedAt: null },
  ended: { at: fetchedAt, reason: 'UNSUBSCRIBED' },
})

/** The charges that a row of a time before lines counts in full, although they paid for other lines as well. */
async function countedBefore(tx: Tx, held: readonly PurchaseRow[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const row of held) {
    if (row.chargeScope !== '') continue
    for (const { kind, id } of await listObservations(tx, row.id)) if (kind === 'REPORT') ids.add(id)
  }
  return ids
}

/** A new line leaves earlier charges to the row that has them; the running one is divided from now on. */
function withoutCounted(
  told: readonly Observation[],
  row: PurchaseRow | null,
  counted: ReadonlySet<string>,
): readonly Observation[] {
  if (row?.chargeScope === '' || counted.size === 0) return told
  const running = told.findLast((one) => one.kind === 'REPORT' && one.renewal)
  const runningId = running?.kind === 'REPORT' ? running.transaction?.transactionId : undefined
  return told.filter((one) => one.kind !== 'REPORT' || one.id === runningId || !counted.has(one.id))
}
