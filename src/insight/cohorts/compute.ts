import type { Context } from '../../base/context'
import { monotonicMs } from '../../base/lib/clock'
import { contextInTurn } from '../../base/turn-context'
import { readStep } from '../clickhouse/numbers'
import { spanOf } from './definition'
import type { CohortRow } from './queries'
import * as queries from './queries'
import { findRange, findStarts } from './starts'

/** How many subscribers are looked at in one read, so that other long reads take turns with it. */
const RANGE = 5000
/** ClickHouse reads all events of the project each time. */
const CLICKHOUSE_RANGE = 100_000
/** How many members are written in one transaction, so that receipts take turns with it. */
const CHUNK = 500

/** Finds the members of a cohort now, once for everybody who asks at the same time. */
export const computeMembers = (ctx: Context, cohort: CohortRow): Promise<void> =>
  runShared(ctx, `members ${cohort.listId}`, cohort, (own, isStopping) => findMembers(own, cohort, isStopping))

/**
 * Goes through the subscribers of the project in the order of their ids, and writes only what differs from the members
 * that are saved. It can be repeated at any time, and two that run at once write the same.
 */
async function findMembers(ctx: Context, cohort: CohortRow, isStopping: () => boolean): Promise<void> {
  const [computedAt, begunMs] = [ctx.clock.now(), monotonicMs()]
  let size = 0
  for (let after: string | null = ''; after !== null; ) {
    if (isStopping()) return
    const step = await findStep(ctx, cohort, after, computedAt)
    if (!(await saveStep(ctx, cohort, step))) return
    size += step.found.size
    after = step.until
  }
  const tookMs = Math.round(monotonicMs() - begunMs)
  await ctx.write((tx) => queries.saveComputed(tx, cohort, { size, computedAt, tookMs }))
}

/** The members of one range: those who are found now, and those who are saved. */
interface Step {
  found: Map<string, number>
  saved: Map<string, number>
  /** Where the next range starts; null = this was the last one. */
  until: string | null
}

async function findStep(
  ctx: Context,
  { projectId, definition, listId }: CohortRow,
  after: string,
  now: number,
): Promise<Step> {
  const { found, until } = await readStep(ctx, async (handle) => {
    const size = handle.isClickhouse ? CLICKHOUSE_RANGE : RANGE
    const { range, isLast } = await findRange(handle, projectId, after, size)
    const span = spanOf(definition, now)
    const found = await findStarts(handle, { projectId, definition, span, range })
    return { found, until: isLast ? null : range.until }
  })
  const saved = await ctx.storage.readInThread((handle) => queries.listSaved(handle, listId, after, until))
  return { found, saved, until }
}

/** False when the cohort is gone or has another definition by now. */
async function saveStep(ctx: Context, { id, projectId, listId }: CohortRow, { found, saved }: Step): Promise<boolean> {
  const added = [...found].filter(([subscriberId, startedAt]) => saved.get(subscriberId) !== startedAt)
  const gone = [...saved.keys()].filter((subscriberId) => !found.has(subscriberId))
  for (let start = 0; start < Math.max(added.length, gone.length); start += CHUNK) {
    const [adding, going] = [added.slice(start, start + CHUNK), gone.slice(start, start + CHUNK)]
    const isCurrent = await ctx.write(async (tx) => {
      if ((await queries.lockCohort(tx, projectId, id))?.listId !== listId) return false
      const rows = adding.map(([subscriberId, startedAt]) => ({ listId, subscriberId, startedAt }))
      if (rows.length > 0) await queries.saveMembers(tx, rows)
      if (going.length > 0) await queries.deleteMembers(tx, listId, going)
      return true
    })
    if (!isCurrent) return false
  }
  return true
}

/**
 * Runs a computation about a cohort once for everybody who asks at the same time, in the turn of its project. It ends
 * early when all of them have left.
 */
export const runShared = (
  ctx: Context,
  name: string,
  { projectId }: CohortRow,
  work: (ctx: Context, isStopping: () => boolean) => Promise<void>,
): Promise<void> =>
  ctx.state.cohortWork.run(
    name,
    ({ signal, isStopping }) => work(contextInTurn(ctx, { group: projectId, signal }), isStopping),
    ctx.turn?.signal,
  )
