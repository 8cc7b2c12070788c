import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { localDays } from '../../../base/lib/local-days'
import { waitForOpenWrites } from '../open-writes'
import { sumsOf } from './batch'
import { type EntrySpan, measureSpan, type SummedEntry, sumSpan } from './entry-sums'
import * as q from './queries'
import { rollBasis } from './read'

/** Entries of one transaction, so that a receipt waits for it only a few milliseconds. */
const BATCH = 2000

/** Adds all entries that the sums lack, in as many turns as it takes. */
export async function rollUp(ctx: Context, isStopping: () => boolean = () => false): Promise<void> {
  const until = await settledPosition(ctx)
  while (until !== null && !isStopping() && (await takeOne(ctx, until)));
}

/** Up to where every entry is committed; null when a transaction is open for too long to know. */
async function settledPosition(ctx: Context): Promise<number | null> {
  const last = await q.lastPosition(ctx)
  return (await waitForOpenWrites(ctx)) === 0 ? last : null
}

/**
 * Does the next piece of work, in one transaction: entries of all projects, entries of a project whose sums are computed
 * again, or the deletion of sums that count no longer. False when nothing is left, or another process is at it.
 *
 * @param until the position up to which all entries are committed
 */
export async function takeOne(ctx: Context, until: number, limit = BATCH): Promise<boolean> {
  const [stale] = await q.listStale(ctx, rollBasis())
  const seen = await seenRoll(ctx)
  if (stale) return change(ctx, seen, (tx) => beginAgain(tx, stale))
  const unfinished = await q.findUnfinished(ctx)
  if (seen && unfinished) return addForProject(ctx, seen, unfinished, limit)
  if ((seen?.rolledUntil ?? 0) < until) return addForAll(ctx, until, limit)
  return (await q.hasAbandoned(ctx)) && change(ctx, seen, q.deleteAbandoned)
}

const seenRoll = async (handle: Handle): Promise<q.RollRow | null> => (await q.listRolls(handle, []))[0] ?? null

/** Runs work unless another process has changed the sums since they were seen. */
const change = (ctx: Context, seen: q.RollRow | null, work: (handle: Handle) => Promise<boolean>): Promise<boolean> =>
  ctx.write(async (tx) => (await q.takeTurn(tx, seen)) && work(tx))

async function beginAgain(handle: Handle, { scope, timezone }: { scope: string; timezone: string }): Promise<boolean> {
  await q.abandonSums(handle, scope)
  await q.saveProjectRolls(handle, [{ scope, timezone, basis: rollBasis(), rolledUntil: 0, turn: 0 }])
  return true
}

interface Seen {
  roll: q.RollRow | null
  rows: SummedEntry[]
  /** The last entry that is in the rows; null when these are all. */
  last: number | null
  projects: Map<string, q.RollRow>
}

async function addForAll(ctx: Context, until: number, limit: number): Promise<boolean> {
  const { roll, rows, last, projects } = await ctx.storage.readInThread(async (handle): Promise<Seen> => {
    const roll = await seenRoll(handle)
    const some = await readSome(handle, { after: roll?.rolledUntil ?? 0, until }, limit)
    const known = await q.listRolls(handle, [...new Set(some.rows.map(({ projectId }) => projectId))])
    return { roll, ...some, projects: new Map(known.map((one) => [one.scope, one])) }
  })
  const added = await newProjects(ctx, rows, projects)
  for (const one of added) projects.set(one.scope, one)
  const counted = rows.filter(({ projectId }) => projects.get(projectId)?.rolledUntil === null)
  const sums = sumsOf(counted, (projectId) => localDays(projects.get(projectId)?.timezone ?? 'UTC'))
  return change(ctx, roll, async (tx) => {
    await q.saveProjectRolls(tx, added)
    await q.addSums(tx, sums)
    await q.setRolledUntil(tx, q.EVERYTHING, last ?? until)
    return true
  })
}

/** The sums of the first entries of a span. */
async function readSome(
  handle: Handle,
  span: EntrySpan,
  limit: number,
  projectId: string | null = null,
): Promise<Pick<Seen, 'rows' | 'last'>> {
  const { count, last } = await measureSpan(handle, span, limit)
  const rows = await sumSpan(handle, { ...span, until: last ?? span.until }, projectId)
  return { rows, last: count < limit ? null : last }
}

/** Projects of which no entry is in the sums. One that does not exist any more has no sums. */
async function newProjects(
  ctx: Context,
  rows: readonly SummedEntry[],
  known: ReadonlyMap<string, q.RollRow>,
): Promise<q.RollRow[]> {
  const ids = [...new Set(rows.map(({ projectId }) => projectId))].filter((id) => !known.has(id))
  const added: q.RollRow[] = []
  for (const scope of ids) {
    const { timezone = 'UTC' } = (await ctx.state.projects.find(scope)) ?? {}
    added.push({ scope, timezone, basis: rollBasis(), rolledUntil: null, turn: 0 })
  }
  return added
}

async function addForProject(
  ctx: Context,
  seen: q.RollRow,
  { scope, timezone, rolledUntil }: q.RollRow,
  limit: number,
): Promise<boolean> {
  const until = seen.rolledUntil ?? 0
  const after = rolledUntil ?? until
  const { rows, last } = await ctx.storage.readInThread((handle) => readSome(handle, { after, until }, limit, scope))
  const sums = sumsOf(rows, () => localDays(timezone))
  return change(ctx, seen, async (tx) => {
    await q.addSums(tx, sums)
    await q.setRolledUntil(tx, scope, last)
    return true
  })
}
