import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { deleteInBatches, oldestOf, type RetentionRule } from '../../base/retention/rule'

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
  for (const [projectId, rowHash] of last) await saveAnchor(tx, projectId, rowHash)
  return old.length
}

/** Where the hash of the last deleted row is kept: beside the revisions of objects, whose ids have another form. */
const ANCHOR = 'audit-log'

async function saveAnchor(tx: Tx, projectId: string, rowHash: string): Promise<void> {
  const { objectRevisions: r } = tx.tables
  const set = { updatedBy: { kind: 'SERVER', id: rowHash, email: null }, updatedAt: tx.clock.now() }
  await tx.db
    .insert(r)
    .values({ projectId, objectId: ANCHOR, revision: 1, ...set })
    .onConflictDoUpdate({ target: [r.projectId, r.objectId], set })
}

/** Whether the row with this hash is the last one that was deleted for its age. */
export async function isAnchor({ db, tables }: Handle, projectId: string, hash: string): Promise<boolean> {
  const { objectRevisions: r } = tables
  const isIt = and(eq(r.projectId, projectId), eq(r.objectId, ANCHOR))
  const [row] = await db.select({ updatedBy: r.updatedBy }).from(r).where(isIt)
  return row?.updatedBy.id === hash
}
