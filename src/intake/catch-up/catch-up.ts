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
import { findCatchup, saveCatchup } from '../inbox/queries'
import { CATCH_UP_STORES } from './catch-up-stores'

/** Within what every store remembers, and well within what the inbox keeps: nothing that it has pruned seems missing. */
const REACH_MS = 30 * DAY - HOUR
/** Read again each time: a store may list a notification late, and one that failed here is taken up again. */
const OVERLAP_MS = 2 * HOUR
/** What was told just now is on its way, and not missing. */
const SETTLE_MS = 10 * MINUTE
/** What is read between two looks at the clock, and between two notes of the position. */
const SLICE_MS = DAY
/** A store that hangs must not hold up the others. */
const RUNS_AT_ONCE = 4

/** What one store has told of one project. */
interface CatchUpRun {
  project: ProjectState
  store: Store
  environment: PurchaseEnvironment
  /** What is left to be read. */
  from: number
  to: number
  /** Nobody has asked before: what is missing then says nothing of the webhook. */
  isFirst: boolean
  missing: number
  failed: number
  /** The first that kept it from its end; the position stays before it. */
  fault: string | null
}

/**
 * Takes in what the stores have told since the last time and the inbox lacks, by the way of their webhooks, and returns
 * how many those were. Where a store does not answer, the next run goes on; the others go on now. Runs at the same time
 * take each in once.
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
  // A clock that was ahead for a while must not leave a gap.
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
  // What comes after a fault is read all the same, and read once more next time.
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

/** A fault of the database ends the run; whatever else it is, is this project's own. */
function toReason(error: unknown): string {
  const known = toAppError(error)
  if (known instanceof AppError && known.refusal === 'DATABASE_UNAVAILABLE') throw known
  return describeError(error)
}

function logRun(ctx: Context, { project, store, environment, isFirst, missing, failed, fault }: CatchUpRun): void {
  const facts = { projectId: project.id, store, environment, missing, failed }
  if (missing > 0 && !isFirst) ctx.log.warn(MISSING, facts)
  else if (missing + failed > 0) ctx.log.info('took in what the store had told before', facts)
  if (fault !== null) warnOfFault(ctx, { projectId: project.id, store, environment }, fault)
}

const warnOfFault = (ctx: Context, of: Record<string, string>, reason: string): void =>
  ctx.log.warn('what a store has told could not all be read; the next run goes on there', { ...of, reason })

const MISSING =
  'a store had told what never came here; it is taken in now. Look whether its webhook works and is told of every type'
