import { type MatchedLine, matchLines, type ReportedLine } from '../../people/purchases/match-lines'
import type { PurchaseRow } from '../../people/purchases/queries'
import { effectiveEnd } from '../../people/purchases/status'
import type { Adjustment, Observation, ProductType, Report, TransactionPart } from '../../stores/observation'
import { joinCharges } from './join-charges'

/** What a store reports about one line of a chain. */
export interface LineReport extends ReportedLine {
  /** The type of its product; null when the catalogue lacks it. */
  productType: ProductType | null
  /** The observations, given those that are recorded of the line. */
  observe(known: readonly Observation[]): readonly Observation[]
}

/** What a store reports about the lines of a chain at one instant. */
export interface ReportedChain {
  fetchedAt: number
  /** The type of a line whose product is in no catalogue and that is new. */
  likelyType: ProductType
  /** Whether an item that comes while another one goes replaces it. */
  replacesInOrder: boolean
  lines: readonly LineReport[]
}

/** A line of a chain as it is recorded, with its observations. */
export interface RecordedLine {
  row: Pick<PurchaseRow, 'id' | 'lineKey' | 'formerLineKeys' | 'chargeScope' | 'fold'>
  known: readonly Observation[]
}

/** What to record of one line. */
export interface PlannedLine {
  /** Null for a line that is new. */
  heldId: string | null
  lineKey: string
  productType: ProductType
  observations: readonly Observation[]
}

/**
 * What to record of each line of a chain, those that the store has first. A line that the store no longer has ends,
 * unless its end has passed.
 */
export function planChain(held: readonly RecordedLine[], chain: ReportedChain): PlannedLine[] {
  const matched = matchLines(
    held.map(({ row }) => toHeldLine(row, chain.fetchedAt)),
    chain.lines,
    chain.replacesInOrder,
  )
  const counted = countedBefore(held)
  return matched
    .toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent))
    .map((line) => planLine(chain, line, held.find(({ row }) => row.id === line.heldId) ?? null, counted))
}

const toHeldLine = (row: RecordedLine['row'], at: number) => {
  const { id, lineKey, formerLineKeys, fold } = row
  const { storeProductId, pendingStoreProductId } = fold
  const ends = { isEnded: isEndedAt(row, at), isOver: isOverAt(row, at) }
  return { id, lineKey, formerLineKeys, storeProductId, pendingStoreProductId, ...ends }
}

/** An answer that is older than the record ends nothing. */
const isEndedAt = ({ fold }: RecordedLine['row'], at: number): boolean =>
  at < fold.storeEventAt || fold.expiryReason !== null

function isOverAt(row: RecordedLine['row'], at: number): boolean {
  const end = effectiveEnd(row.fold)
  return isEndedAt(row, at) || (end !== null && end <= at)
}

function planLine(
  { fetchedAt, likelyType }: ReportedChain,
  line: MatchedLine<LineReport>,
  recorded: RecordedLine | null,
  counted: ReadonlySet<string>,
): PlannedLine {
  const { row, known } = recorded ?? { row: null, known: [] }
  const items = line.reported.toSorted((a, b) => Number(b.isPresent) - Number(a.isPresent))
  const told = joinCharges(items.map((one) => one.observe(known)))
  const isGone = !line.isPresent && !(row ? isOverAt(row, fetchedAt) : isPast(told, fetchedAt))
  const gone = goneReport(fetchedAt, row ? null : uncharged(line.lineKey, told))
  return {
    heldId: line.heldId,
    lineKey: line.lineKey,
    productType: line.reported.at(-1)?.productType ?? row?.fold.productType ?? likelyType,
    observations: [...withoutCounted(told, row, counted), ...(isGone ? [gone] : [])],
  }
}

const goneReport = (fetchedAt: number, transaction: TransactionPart | null): Report => ({
  kind: 'REPORT',
  id: `gone@${fetchedAt}`,
  eventAt: fetchedAt,
  ...(transaction && { transaction }),
  renewal: { autoRenews: false, pendingStoreProductId: null, billingTrouble: 'NONE', pausedAt: null },
  ended: { at: fetchedAt, reason: 'UNSUBSCRIBED' },
})

/** Whether all that was charged for a line had ended by an instant. */
const isPast = (told: readonly Observation[], at: number): boolean => {
  const parts = told.flatMap((one) => (one.kind === 'REPORT' && one.transaction ? [one.transaction] : []))
  return parts.length > 0 && parts.every(({ expiresAt }) => expiresAt !== null && expiresAt <= at)
}

/**
 * The access of a line that came and went within a period before anything was heard of it: only charges within the
 * period are known. Null where the charge of a period is.
 */
function uncharged(lineKey: string, told: readonly Observation[]): TransactionPart | null {
  const reports = told.filter((one) => one.kind === 'REPORT')
  const first = reports.flatMap(({ adjustment }) => (adjustment ? [adjustment] : [])).toSorted(byDate)[0]
  if (!first || reports.some(({ transaction }) => transaction)) return null
  const { storeProductId, chargedAt, quantity } = first
  return {
    transactionId: `${lineKey}:${chargedAt}`,
    storeProductId,
    purchaseDate: chargedAt,
    originalPurchaseDate: chargedAt,
    expiresAt: chargedAt,
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    price: null,
    quantity,
    ownershipType: 'PURCHASED',
    reason: 'PURCHASE',
    isUncharged: true,
  }
}

const byDate = (a: Adjustment, b: Adjustment): number => a.chargedAt - b.chargedAt

/** The charges that a row of a time before lines counts in full, although they paid for other lines as well. */
function countedBefore(held: readonly RecordedLine[]): ReadonlySet<string> {
  const former = held.filter(({ row }) => row.chargeScope === '')
  return new Set(former.flatMap(({ known }) => known.flatMap(({ kind, id }) => (kind === 'REPORT' ? [id] : []))))
}

/** A new line leaves earlier charges to the row that has them; the running one is divided from now on. */
function withoutCounted(
  told: readonly Observation[],
  row: RecordedLine['row'] | null,
  counted: ReadonlySet<string>,
): readonly Observation[] {
  if (row?.chargeScope === '' || counted.size === 0) return told
  const running = told.findLast((one) => one.kind === 'REPORT' && one.renewal)
  const runningId = running?.kind === 'REPORT' ? running.transaction?.transactionId : undefined
  return told.filter((one) => one.kind !== 'REPORT' || one.id === runningId || !counted.has(one.id))
}
