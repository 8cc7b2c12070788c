import { and, asc, desc, eq, getTableColumns, gt } from 'drizzle-orm'
import { exactJson } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'

export type AuditRow = Handle['tables']['auditLog']['$inferSelect']

/** The hash of the project's newest row, or null when it has none. */
export async function findAuditHead({ db, tables }: Handle, projectId: string): Promise<string | null> {
  const { auditLog: a } = tables
  const newest = db.select({ rowHash: a.rowHash }).from(a).where(eq(a.projectId, projectId))
  const [row] = await newest.orderBy(desc(a.position)).limit(1)
  return row?.rowHash ?? null
}

export async function insertAuditRows({ db, tables }: Handle, rows: Omit<AuditRow, 'position'>[]): Promise<void> {
  await db.insert(tables.auditLog).values(rows)
}

/** The rows of a project after a position, in the order of the hash chain. */
export async function listAuditRows(
  handle: Handle,
  projectId: string,
  after: number,
  limit: number,
): Promise<AuditRow[]> {
  const { auditLog: a } = handle.tables
  const isNext = and(eq(a.projectId, projectId), gt(a.position, after))
  // An amount with 64 bits must be hashed with the digits that it was written with.
  const columns = { ...getTableColumns(a), before: exactJson(a.before), after: exactJson(a.after) }
  return handle.db.select(columns).from(a).where(isNext).orderBy(asc(a.position)).limit(limit)
}
