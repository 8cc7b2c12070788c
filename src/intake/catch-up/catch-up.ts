import type { Context } from '../../base/context'
import { toAppError } from '../../base/db/errors'
import { AppError } from '../../base/errors'
import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { inParallel } from '../../base/lib/parallel'
import { listProjects } from '../../projects/project/service'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { FetchedHistory } from '../inbox/history'
import { findCatchup, saveCatchup } from '../inbox/service'
import { CATCH_UP_STORES } from './catch-up-stores'

/** Shorter than every store's history and than the inbox's retention: a pruned notification never counts as missing. */
const REACH_MS = 30 * DAY - HOUR
/** Read again each time: a store may list a notification late, and one that failed here is processed again. */
const OVERLAP_MS = 2 * HOUR
/** A notification younger than this may still be on its way, so it does not count as missing. */
const SETTLE_MS = 10 * MINUTE
/** The span that is read between two checks of the time limit. The position is saved after each one. */
const SLICE_MS = DAY
/** More than one, so that a store that does not answer does not block the others. */
const RUNS_AT_ONCE = 4

/** The catch-up of one project with one store, in one environment. */
interface CatchUpRun {
  project: ProjectState
  store: Store
  environment: PurchaseEnvironment
  /** The span that is still to be read. */
  from: number
  to: number
  /** The history was never read before, so missing notifications do not mean that the webhook fails. */
  isFirst: boolean
  missing: number
  failed: number
  /** The first fault of the run; the saved position stays before it. */
  fault: string | null
}

/**
 * Reads the stores' histories since the last run and processes the notifications that the inbox lacks, in the same way
 * as the webhooks do. Returns how many were missing. When a store does not answer, the next run continues there; the
 * other stores are read in this run. Concurrent runs process each notification once.
 */
export async function catchUpWithStores(ctx: Context, isOver: () => boolean = () => false): Promise<number> {
  const runs: CatchUpRun[] = []
  for (const { id } of await listProjects(ctx)) runs.push(...(await openRuns(ctx, id)))
  for (let left = runs; left.length > 0 && !isOver(); ) {
    await inParallel(left, RUNS_AT_ONCE, async (run) => {
      if (!isOver()) await readSlice(ctx, run, isOver)
    })
    left = left.filter(({ from, to }) => from < to)
  }
  for (const run of runs) logRun(ctx, run)
  return runs.reduce((sum, { missing }) => sum + missing, 0)
}

async function openRuns(ctx: Context, projectId: string): Promise<CatchUpRun[]> {
  const project = await ctx.state.projects.find(projectId)
  if (!project) return []
  const runs: CatchUpRun[] = []
  for (const [store, { environmentsOf }] of CATCH_UP_STORES) {
    try {
      for (const environment of await environmentsOf(ctx, project))
        runs.push(await openRun(ctx, project, store, environment))
    } catch (error) {
      warnOfFault(ctx, { projectId, store }, toReason(error))
    }
  }
  return runs
}

async function openRun(
  ctx: Context,
  project: ProjectState,
  store: Store,
  environment: PurchaseEnvironment,
): Promise<CatchUpRun> {
  const now = ctx.clock.now()
  const upTo = await findCatchup(ctx, { projectId: project.id, store, environment })
  // If our clock was ahead for a while, `upTo` may be in the future. The span must not have a gap.
  const from = Math.max(now - REACH_MS, Math.min(upTo ?? 0, now - SETTLE_MS) - OVERLAP_MS)
  const counts = { missing: 0, failed: 0, fault: null }
  return { project, store, environment, from, to: now - SETTLE_MS, isFirst: upTo === null, ...counts }
}

async function readSlice(ctx: Context, run: CatchUpRun, isOver: () => boolean): Promise<void> {
  const { project, store, environment, from } = run
  const to = Math.min(from + SLICE_MS, run.to)
  const signal = {
    get aborted() {
      return isOver()
    },
  }
  try {
    const fetched = await CATCH_UP_STORES.get(store)?.fetch(ctx, project, environment, { from, to }, { signal })
    if (fetched) count(ctx, run, fetched)
  } catch (error) {
    run.fault ??= toReason(error)
    run.to = from
  }
  run.from = to
  // After a fault the later slices are still read, but the position stays, so that the next run reads them again.
  if (run.fault === null)
    await ctx.write((tx) => saveCatchup(tx, { projectId: project.id, store, environment, upTo: to }))
}

function count(ctx: Context, run: CatchUpRun, { missing, failed, stopped, unanswered }: FetchedHistory): void {
  run.missing += missing
  run.failed += failed
  if (missing > 0) ctx.metrics.storeCatchups.inc({ store: run.store }, missing)
  if (unanswered > 0) run.fault ??= 'The store did not say what some of it is about'
  if (stopped === null) return
  run.fault ??= stopped.reason
  run.to = run.from
}

/** The reason for the log. A fault of the database is thrown and ends all runs; any other is of this project only. */
function toReason(error: unknown): string {
  const known = toAppError(error)
  if (known instanceof AppError && known.refusal === 'DATABASE_UNAVAILABLE') throw known
  return describeError(error)
}

function logRun(ctx: Context, { project, store, environment, isFirst, missing, failed, fault }: CatchUpRun): void {
  const facts = { projectId: project.id, store, environment, missing, failed }
  if (missing > 0 && !isFirst) ctx.log.warn(MISSING, facts)
  else if (missing + failed > 0) ctx.log.info('processed notifications of the store from before', facts)
  if (fault !== null) warnOfFault(ctx, { projectId: project.id, store, environment }, fault)
}

const warnOfFault = (ctx: Context, of: Record<string, string>, reason: string): void =>
  ctx.log.warn('could not read all missed store notifications; the next run continues', { ...of, reason })

const MISSING =
  'notifications of a store never arrived and are processed now. Check that its webhook works and gets every type'
