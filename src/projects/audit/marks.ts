import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'

/**
 * Hashes of rows that are kept about a log: `audit-log` is the last row that was deleted for its age, `audit-mail` the
 * last one whose hash was mailed. They are in the table of the revisions of objects, whose ids have another form.
 */
export type Mark = 'audit-log' | 'audit-mail'

export async function saveMark(tx: Tx, projectId: string, mark: Mark, rowHash: string): Promise<void> {
  const { objectRevisions: r } = tx.tables
  const set = { updatedBy: { kind: 'SERVER', id: rowHash, email: null }, updatedAt: tx.clock.now() }
  await tx.db
    .insert(r)
    .values({ projectId, objectId: mark, revision: 1, ...set })
    .onConflictDoUpdate({ target: [r.projectId, r.objectId], set })
}

/** The hash of the row; null when there is none. */
export async function findMark({ db, tables }: Handle, projectId: string, mark: Mark): Promise<string | null> {
  const { objectRevisions: r } = tables
  const isIt = and(eq(r.projectId, projectId), eq(r.objectId, mark))
  const [row] = await db.select({ updatedBy: r.updatedBy }).from(r).where(isIt)
  return row?.updatedBy.id ?? null
}
