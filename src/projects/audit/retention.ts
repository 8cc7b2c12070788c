import { and, asc, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'
import { findMark, saveMark } from './marks'

const KEPT_MS = 400 * DAY

/** The newest row of each project stays whatever its age: the next one continues its chain. */
export const auditRetention: RetentionRule = {
  name: 'audit log',
  tables: ['auditLog'],
  keptMs: KEPT_MS,
  sweep: (ctx, isStopping) =>
    deleteInBatches(ctx, isStopping, (tx, limit) => deleteOld(tx, tx.clock.now() - KEPT_MS, limit)),
  oldest: (handle) => {
    const { auditLog: a } = handle.tables
    return oldestOf(handle, a, a.at, KEPT_MS, lt(a.position, newestOf(handle)))
  },
}

function newestOf({ tables: { auditLog: a } }: Handle) {
  const other = alias(a, 'newer')
  return sql`(select max(${other.position}) from ${a} "newer" where ${other.projectId} = ${a.projectId})`
}

async function deleteOld(tx: Tx, before: number, limit: number): Promise<number> {
  const { auditLog: a } = tx.tables
  const columns = { position: a.position, projectId: a.projectId, rowHash: a.rowHash }
  const isOld = and(lt(a.at, before), lt(a.position, newestOf(tx)))
  const old = await tx.db.select(columns).from(a).where(isOld).orderBy(asc(a.position)).limit(limit)
  if (old.length === 0) return 0
  const positions = old.map(({ position }) => position)
  await tx.db.delete(a).where(inArray(a.position, positions))
  const last = new Map(old.map(({ projectId, rowHash }) => [projectId, rowHash]))
  for (const [projectId, rowHash] of last) await saveMark(tx, projectId, 'audit-log', rowHash)
  return old.length
}

/** Whether the row with this hash is the last one that was deleted for its age. */
export const isAnchor = async (handle: Handle, projectId: string, hash: string): Promise<boolean> =>
  (await findMark(handle, projectId, 'audit-log')) === hash
