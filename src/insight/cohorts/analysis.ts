import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { monotonicMs } from '../../base/lib/clock'
import { firstOfMonth, localDays } from '../../base/lib/local-days'
import { listPurchasesOfAll, type PurchaseRow } from '../../people/purchases/holdings'
import { findProject } from '../../projects/project/service'
import { environmentOf } from './model'
import type { CohortRow } from './queries'
import * as queries from './queries'
import { RetentionTable, type Starter } from './retention'

const CHUNK = 500

/** Computes how the members of a cohort stayed, once for everybody who asks at the same time. */
export const computeAnalysis = (ctx: Context, cohort: CohortRow): Promise<void> =>
  ctx.state.cohortWork.run(`analysis ${cohort.listId}`, (isStopping) => analyse(ctx, cohort, isStopping))

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

const readPage = (ctx: Context, { listId, definition }: CohortRow, after: string): Promise<StarterPage> =>
  ctx.storage.readInThread(async (handle) => {
    const members = await queries.listStarters(handle, listId, after, CHUNK)
    const live = members.filter(({ isLive }) => isLive)
    const subscriptions = await listSubscriptions(
      handle,
      live.map(({ id }) => id),
      environmentOf(definition),
    )
    const starters = live.map(({ id, startedAt }) => ({ startedAt, subscriptions: subscriptions.get(id) ?? [] }))
    return { starters, lastId: members.length < CHUNK ? null : (members.at(-1)?.id ?? null) }
  })

/** The subscriptions that people bought in one environment, by subscriber id; those that were given are not paid. */
async function listSubscriptions(
  handle: Handle,
  subscriberIds: readonly string[],
  environment: string,
): Promise<Map<string, Starter['subscriptions']>> {
  if (subscriberIds.length === 0) return new Map()
  const all = [...(await listPurchasesOfAll(handle, subscriberIds)).values()].flat()
  const isBought = ({ store, fold }: PurchaseRow) => store !== 'MANUAL' && fold.productType === 'SUBSCRIPTION'
  const own = all.filter((row) => row.environment === environment && isBought(row))
  const reports = await queries.listReports(
    handle,
    own.map(({ id }) => id),
  )
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
