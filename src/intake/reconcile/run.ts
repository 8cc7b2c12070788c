import type { Context } from '../../base/context'
import { inParallel } from '../../base/lib/parallel'
import { listProjects } from '../../projects/project/service'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { countRecheckDue, type Place } from './queries'
import { type ListedDifference, repairListed } from './refunds'
import { askNext, newStoreRun, type RunOrder, type StoreRun } from './store-run'
import { RECONCILED } from './stores'

export type { ListedDifference, StoreRun }

export interface ReconcileOrder {
  /** Only this project; null = all. */
  projectId?: string | null
  /** Only this store; null = all. */
  store?: Store | null
  /** Queries and compares, but writes nothing. */
  isDryRun?: boolean
  /** Ignores the drift limit, after a person has checked the differences. */
  isForced?: boolean
  /** The most purchases to query in one store run. Default: no limit. */
  budget?: number
  /** Whether the time of the run is used up. */
  isOver?: () => boolean
  onProgress?: (asked: number, due: number) => void
}

export interface ReconcileReport {
  storeRuns: StoreRun[]
  /** Differences from the stores' own lists that were not recorded here. */
  listed: ListedDifference[]
}

/** Store runs at a time: more than one, so that a store that does not answer does not block the others. */
const STORE_RUNS_AT_ONCE = 4
const ENVIRONMENTS: readonly PurchaseEnvironment[] = ['PRODUCTION', 'SANDBOX']

/**
 * Queries the stores about purchases without a report for a day, or without one after their end (wire 5.5), and records
 * the answers. The store runs take turns batch by batch. A store run over the drift limit stops, and the next run
 * starts with a new count. A purchase that was not queried stays due. Concurrent runs share the work.
 */
export async function reconcile(ctx: Context, order: ReconcileOrder = {}): Promise<ReconcileReport> {
  const storeRuns = (await listPlaces(ctx, order)).map(newStoreRun)
  const run = await beginRun(ctx, storeRuns, order)
  const listed = await repairListed(ctx, storeRuns, run, STORE_RUNS_AT_ONCE)
  for (let left = storeRuns; left.length > 0; ) {
    const further = new Set<StoreRun>()
    await inParallel(left, STORE_RUNS_AT_ONCE, async (storeRun) => {
      if (await askNext(ctx, storeRun, run)) further.add(storeRun)
    })
    left = left.filter((storeRun) => further.has(storeRun))
  }
  if (!run.isDryRun) reportRun(ctx, storeRuns, listed)
  return { storeRuns, listed }
}

async function listPlaces(ctx: Context, { projectId = null, store = null }: ReconcileOrder): Promise<Place[]> {
  const projectIds = projectId === null ? (await listProjects(ctx)).map(({ id }) => id) : [projectId]
  const stores = (Object.keys(RECONCILED) as Store[]).filter((one) => store === null || one === store)
  return projectIds.flatMap((id) =>
    stores.flatMap((one) => ENVIRONMENTS.map((environment) => ({ projectId: id, store: one, environment }))),
  )
}

async function beginRun(ctx: Context, storeRuns: readonly StoreRun[], order: ReconcileOrder): Promise<RunOrder> {
  const { isDryRun = false, isForced = false, isOver = () => false, onProgress } = order
  const { budget = Number.POSITIVE_INFINITY } = order
  const startedAt = ctx.clock.now()
  let [asked, due] = [0, 0]
  if (onProgress) for (const storeRun of storeRuns) due += await countRecheckDue(ctx, storeRun, startedAt)
  return { startedAt, isDryRun, isForced, budget, isOver, onAsked: () => onProgress?.(++asked, due) }
}

/** Writes the results of a run to the log and the metrics. A run without due purchases writes no log line. */
function reportRun(ctx: Context, storeRuns: readonly StoreRun[], listed: readonly ListedDifference[]): void {
  for (const store of Object.keys(RECONCILED)) {
    const overLimit = storeRuns.filter((storeRun) => storeRun.store === store && storeRun.stop === 'BRAKE')
    ctx.metrics.reconcileOverLimit.set({ store }, overLimit.length)
  }
  for (const { projectId, store, environment, tally, stop } of storeRuns) {
    const fields = { projectId, store, environment, ...tally }
    if (stop === 'BRAKE') ctx.log.error(OVER_DRIFT_LIMIT, fields)
    if (stop === 'OUTAGE') ctx.log.warn('the reconciler got no answers; these purchases stay due', fields)
  }
  const checked = storeRuns.reduce((sum, { tally }) => sum + tally.checked, 0)
  const repaired = storeRuns.reduce((sum, { tally }) => sum + tally.drifted, listed.length)
  if (checked + repaired > 0) ctx.log.info('reconciled', { checked, repaired })
}

const OVER_DRIFT_LIMIT =
  'the reconciler stopped: too many purchases differ from what the store says; see svc reconcile --dry-run, then --force'
