import { and, count, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import type { UsageSource } from '../../projects/usage/recount'
import { countUsage, noteRemoved } from '../../projects/usage/service'

/** Notes that a query was executed, and counts it. */
export async function recordRun(tx: Tx, projectId: string): Promise<void> {
  const ranAt = tx.clock.now()
  await tx.db.insert(tx.tables.queryRuns).values({ projectId, ranAt })
  await countUsage(tx, projectId, 'sqlQueries', ranAt, 1)
}

export const queryUsage: UsageSource = { meter: 'sqlQueries', countDays: countRuns }

async function countRuns(
  { db, tables: { queryRuns: r } }: Handle,
  projectId: string,
  [first, last]: readonly [first: number, last: number],
): Promise<Map<number, number>> {
  const day = sql<number>`${r.ranAt} / ${sql.raw(String(DAY))}`.mapWith(Number)
  const isInside = and(eq(r.projectId, projectId), gte(r.ranAt, first * DAY), lt(r.ranAt, (last + 1) * DAY))
  const rows = await db.select({ day, count: count() }).from(r).where(isInside).groupBy(day)
  return new Map(rows.map((row) => [row.day, row.count]))
}

const KEPT_MS = 90 * DAY

export const runRetention: RetentionRule = {
  name: 'executed queries',
  tables: ['queryRuns'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) => deleteInBatches(ctx, isStopping, deleteOldRuns),
  oldest: (handle) => oldestOf(handle, handle.tables.queryRuns, handle.tables.queryRuns.ranAt, KEPT_MS),
}

async function deleteOldRuns(tx: Tx, limit: number): Promise<number> {
  const { queryRuns: r } = tx.tables
  const isOld = lt(r.ranAt, tx.clock.now() - KEPT_MS)
  const old = tx.db.select({ position: r.position }).from(r).where(isOld).limit(limit)
  const deleted = await tx.db
    .delete(r)
    .where(inArray(r.position, old))
    .returning({ projectId: r.projectId, ranAt: r.ranAt })
  for (const [projectId, runs] of Map.groupBy(deleted, (run) => run.projectId))
    await noteRemoved(
      tx,
      projectId,
      'sqlQueries',
      runs.map(({ ranAt }) => ranAt),
    )
  return deleted.length
}
