import type { Context } from '../../base/context'
import { monotonicMs } from '../../base/lib/clock'
import { firstOfMonth, localDays } from '../../base/lib/local-days'
import { findProject } from '../../projects/project/service'
import type { PurchaseEnvironment } from '../../stores/observation'
import { readStep } from '../clickhouse/numbers'
import { runShared } from './compute'
import { environmentOf } from './model'
import type { CohortRow } from './queries'
import * as queries from './queries'
import { RetentionTable, type Starter } from './retention'

const CHUNK = 500

/** Computes how the members of a cohort stayed, once for everybody who asks at the same time. */
export const computeAnalysis = (ctx: Context, cohort: CohortRow): Promise<void> =>
  runShared(ctx, `analysis ${cohort.listId}`, cohort, (own, isStopping) => analyse(own, cohort, isStopping))

async function analyse(ctx: Context, cohort: CohortRow, isStopping: () => boolean): Promise<void> {
  const [analysedAt, begunMs] = [ctx.clock.now(), monotonicMs()]
  const project = await findProject(ctx, cohort.projectId)
  const table = new RetentionTable(monthReader(project?.timezone ?? 'UTC'), analysedAt)
  for (let after: string | null = ''; after !== null; ) {
    if (isStopping()) return
    const page = await readPage(ctx, cohort, after)
    for (const starter of page.starters) table.add(starter)
    after = page.lastId
  }
  const analysisTookMs = Math.round(monotonicMs() - begunMs)
  const change = { analysis: table.toRows(), analysedAt, analysisTookMs }
  await ctx.write((tx) => queries.saveComputed(tx, cohort, change))
}

interface StarterPage {
  starters: Starter[]
  /** Null at the end. */
  lastId: string | null
}

async function readPage(
  ctx: Context,
  { listId, projectId, definition }: CohortRow,
  after: string,
): Promise<StarterPage> {
  const members = await ctx.storage.readInThread((handle) => queries.listStarters(handle, listId, after, CHUNK))
  const live = members.filter(({ isLive }) => isLive)
  const ids = live.map(({ id }) => id)
  const subscriptions = await listSubscriptions(ctx, projectId, ids, environmentOf(definition))
  const starters = live.map(({ id, startedAt }) => ({ startedAt, subscriptions: subscriptions.get(id) ?? [] }))
  return { starters, lastId: members.length < CHUNK ? null : (members.at(-1)?.id ?? null) }
}

/** The subscriptions that people bought in one environment with what the stores reported of them, by subscriber id. */
async function listSubscriptions(
  ctx: Context,
  projectId: string,
  subscriberIds: readonly string[],
  environment: PurchaseEnvironment,
): Promise<Map<string, Starter['subscriptions']>> {
  if (subscriberIds.length === 0) return new Map()
  const { own, reports } = await readStep(ctx, async (handle) => {
    const own = await queries.listSubscriptions(handle, projectId, subscriberIds, environment)
    const ids = own.map(({ id }) => id)
    return { own, reports: await queries.listReports(handle, ids) }
  })
  const groups = Map.groupBy(own, ({ subscriberId }) => subscriberId)
  return new Map(
    [...groups].map(([subscriberId, rows]) => [
      subscriberId,
      rows.map(({ id, fold }) => ({ fold, observations: reports.get(id) ?? [] })),
    ]),
  )
}

/** The month of an instant in a time zone. Each month is computed once. */
export function monthReader(timezone: string): (instant: number) => { start: number; end: number } {
  const days = localDays(timezone)
  const known = new Map<number, { start: number; end: number }>()
  return (instant) => {
    const first = firstOfMonth(days.dayOf(instant))
    const found = known.get(first) ?? { start: days.startOf(first), end: days.startOf(firstOfMonth(first, 1)) }
    known.set(first, found)
    return found
  }
}
