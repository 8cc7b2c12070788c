import { count, desc, eq } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findMark, saveMark } from './marks'

/** The newest row of a log, and how many rows the log has. */
export interface AuditHead {
  id: string
  at: number
  rowHash: string
  count: number
}

/** The head of a log that has grown since its last mailed head; null when it has not. */
export async function findGrownHead(handle: Handle, projectId: string): Promise<AuditHead | null> {
  const { db, tables } = handle
  const { id, at, rowHash, position, projectId: owner } = tables.auditLog
  const isOwn = eq(owner, projectId)
  const newest = db.select({ id, at, rowHash }).from(tables.auditLog).where(isOwn).orderBy(desc(position)).limit(1)
  const [row] = await newest
  if (!row || row.rowHash === (await findMark(handle, projectId, 'audit-mail'))) return null
  const [all] = await db.select({ count: count() }).from(tables.auditLog).where(isOwn)
  return { ...row, count: all?.count ?? 0 }
}

/** The head counts as mailed from now on. */
export const saveMailedHead = (tx: Tx, projectId: string, { rowHash }: AuditHead): Promise<void> =>
  saveMark(tx, projectId, 'audit-mail', rowHash)
