import type { Context, Tx } from '../../base/context'
import { FAILURES_TO_OPEN } from '../../base/lib/circuit'
import { MINUTE } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { inParallel } from '../../base/lib/parallel'
import type { PurchaseRow } from '../../people/purchases/queries'
import { askStore, type Question, type Reply } from './ask'
import type { StoreComparison } from './compare-with-store'
import { claimRecheck, listRecheckDue, type Place, type RecheckMark, scheduleRecheck } from './queries'
import { RECONCILED } from './stores'

/** The counts of one store run: a project's purchases at one store, in one environment. */
export interface Tally {
  /** Purchases that the store answered for. */
  checked: number
  /** Those of them that differed from the store's answer. */
  drifted: number
}

/** Fewer checked purchases are too few to judge. */
const MIN_CHECKED = 100
const DRIFT_PERCENT = 5

/**
 * Whether a store run must stop (wire 5.5): at least 100 purchases were checked and more than 5 % of them differ.
 * Single lost notifications do not explain that. Either all notifications are lost or answers are read wrongly, and a
 * person must check. Each place has its own count, so that a project without notifications does not stop the others.
 */
export const isOverDriftLimit = ({ checked, drifted }: Tally): boolean =>
  checked >= MIN_CHECKED && drifted * 100 > checked * DRIFT_PERCENT

/**
 * Why a store run ends before all due purchases were queried. `BRAKE`, the word in reports: it is over the drift limit.
 * `TIME`: its budget, or the time of the run, is used up.
 */
export type Stop = 'BRAKE' | 'OUTAGE' | 'NO_CREDENTIALS' | 'TIME'

/** A purchase that differed, before and after the store's answer was recorded. */
export interface Difference {
  purchaseId: string
  before: PurchaseRow
  after: PurchaseRow
}

/** The due purchases of one place, queried batch by batch, so that no project waits for all those of another one. */
export interface StoreRun extends Place {
  tally: Tally
  /** The number of checked purchases about which the store only reported more than was known. */
  told: number
  passed: number
  failed: number
  failedInRow: number
  stop: Stop | null
  mark: RecheckMark | null
  /** At most `MAX_DIFFERENCES`. */
  differences: Difference[]
}

export interface RunOrder {
  /** Purchases that are due at this instant are queried. */
  startedAt: number
  isDryRun: boolean
  /** Ignores the drift limit. */
  isForced: boolean
  /** The most purchases that one store run queries. */
  budget: number
  isOver(): boolean
  onAsked(): void
}

export const newStoreRun = (place: Place): StoreRun => ({
  ...place,
  tally: { checked: 0, drifted: 0 },
  ...{ told: 0, passed: 0, failed: 0, failedInRow: 0, stop: null, mark: null, differences: [] },
})

const BATCH = 50
/** Calls to the store at a time. */
const WIDTH = 4
/** How long a run's claim on a purchase holds. If the run fails, the purchase is due again after this time. */
const CLAIM_MS = 30 * MINUTE
const MAX_DIFFERENCES = 1000

/** Queries the store about the next due purchases; false when the store run is done or has to stop. */
export async function askNext(ctx: Context, storeRun: StoreRun, run: RunOrder): Promise<boolean> {
  if (stopOf(storeRun, run)) return false
  const rows = await listRecheckDue(ctx, storeRun, run.startedAt, storeRun.mark, BATCH)
  const last = rows.at(-1)
  if (!last) return false
  storeRun.mark = { id: last.id, recheckAt: last.recheckAt ?? run.startedAt }
  const project = await ctx.state.projects.find(storeRun.projectId)
  const store = RECONCILED[storeRun.store]
  if (!project || !store || !(await store.canAsk(ctx, project))) {
    storeRun.stop = 'NO_CREDENTIALS'
    return false
  }
  await askAll(ctx, storeRun, run, rows, { project, store })
  return stopOf(storeRun, run) === null && rows.length === BATCH
}

function stopOf(storeRun: StoreRun, run: RunOrder): Stop | null {
  const { tally, failed, failedInRow } = storeRun
  if (failedInRow >= FAILURES_TO_OPEN) storeRun.stop ??= 'OUTAGE'
  // The drift limit protects the saved state, and a dry run saves nothing.
  else if (!run.isDryRun && !run.isForced && isOverDriftLimit(tally)) storeRun.stop ??= 'BRAKE'
  else if (run.isOver() || tally.checked + failed >= run.budget) storeRun.stop ??= 'TIME'
  return storeRun.stop
}

async function askAll(
  ctx: Context,
  storeRun: StoreRun,
  run: RunOrder,
  rows: PurchaseRow[],
  asking: Pick<Question, 'project' | 'store'>,
): Promise<void> {
  const { isDryRun } = run
  const claimedUntil = ctx.clock.now() + CLAIM_MS
  const mine = isDryRun ? rows : await claim(ctx, run, rows, claimedUntil)
  // A claimed purchase that is not queried gets its old due time back. A failed one is due when its claim expires.
  const next: Next = new Map(mine.map(({ id, recheckAt }) => [id, { from: claimedUntil, to: recheckAt }]))
  const askOne = async (purchase: PurchaseRow) => {
    if (stopOf(storeRun, run)) return
    const reply = await askStore(ctx, { ...asking, purchase, isDryRun })
    if (reply.kind === 'FAILED') next.delete(purchase.id)
    else next.set(purchase.id, { from: savedAtOf(reply) ?? claimedUntil, to: reply.recheckAt })
    count(ctx, storeRun, run, purchase, reply)
  }
  try {
    // After an outage the circuit breaker admits one trial call. Calls beside it would fail and be counted.
    for (const first of mine.slice(0, 1)) await askOne(first)
    await inParallel(mine.slice(1), WIDTH, askOne)
  } finally {
    if (!isDryRun) await ctx.write((tx) => scheduleAll(tx, next))
  }
}

async function claim(ctx: Context, run: RunOrder, rows: PurchaseRow[], until: number): Promise<PurchaseRow[]> {
  const ids = rows.map(({ id }) => id)
  const claimed = new Set(await ctx.write((tx) => claimRecheck(tx, ids, run.startedAt, until)))
  return rows.filter(({ id }) => claimed.has(id))
}

/** By purchase id: `from` is the `recheckAt` saved now, `to` the one to save. */
type Next = Map<string, { from: number; to: number | null }>

const savedAtOf = (reply: Reply): number | null => (reply.kind === 'ANSWERED' ? reply.savedAt : null)

/** Always in the order of the ids, so that two runs never deadlock. */
async function scheduleAll(tx: Tx, next: Next): Promise<void> {
  for (const [id, { from, to }] of [...next].sort(([a], [b]) => (a < b ? -1 : 1)))
    await scheduleRecheck(tx, id, from, to)
}

function count(ctx: Context, storeRun: StoreRun, run: RunOrder, purchase: PurchaseRow, reply: Reply): void {
  run.onAsked()
  if (reply.kind === 'PASSED') storeRun.passed++
  if (reply.kind === 'ANSWERED') countAnswer(ctx, storeRun, run, reply.compared)
  if (reply.kind === 'FAILED') countFailure(ctx, storeRun, purchase, reply.error)
}

function countAnswer(
  { metrics }: Context,
  storeRun: StoreRun,
  { isDryRun }: RunOrder,
  { comparison, before, after }: StoreComparison,
): void {
  const { store, tally, differences } = storeRun
  storeRun.failedInRow = 0
  tally.checked++
  metrics.reconcileChecks.inc({ store, outcome: comparison.toLowerCase() })
  if (comparison === 'TOLD') storeRun.told++
  if (comparison !== 'DRIFT') return
  tally.drifted++
  if (!isDryRun) metrics.reconcileRepairs.inc({ store })
  if (before && after && differences.length < MAX_DIFFERENCES) differences.push({ purchaseId: after.id, before, after })
}

function countFailure(ctx: Context, storeRun: StoreRun, { id }: PurchaseRow, error: unknown): void {
  const { store, projectId } = storeRun
  storeRun.failed++
  storeRun.failedInRow++
  ctx.metrics.reconcileChecks.inc({ store, outcome: 'failed' })
  // Only the first of several failures in a row is logged, so that an outage does not fill the log.
  if (storeRun.failedInRow > 1) return
  ctx.log.warn('a store gave no usable answer', { projectId, store, purchase: id, error: describeError(error) })
}
