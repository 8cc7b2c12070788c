import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type SupportGrant = Handle['tables']['supportGrants']['$inferSelect']

/** The mail address of a user who may read a project now by a support grant; null = there is no such grant. */
export async function findGrantee(
  { db, tables }: Handle,
  adminId: string,
  projectId: string,
  now: number,
): Promise<string | null> {
  const { supportGrants: g } = tables
  const isIt = and(eq(g.adminId, adminId), eq(g.projectId, projectId), gt(g.expiresAt, now), isNull(g.revokedAt))
  const [row] = await db.select({ email: g.adminEmail }).from(g).where(isIt).limit(1)
  return row?.email ?? null
}

/** The newest grants: of one project, or of all. */
export async function pageGrants(
  { db, tables }: Handle,
  projectId: string | null,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<SupportGrant[]> {
  const { supportGrants: g } = tables
  const isNext = and(
    projectId === null ? undefined : eq(g.projectId, projectId),
    beforeId === null ? undefined : lt(g.id, beforeId),
  )
  return db.select().from(g).where(isNext).orderBy(desc(g.id)).limit(limit)
}

export async function findGrant({ db, tables }: Handle, id: string): Promise<SupportGrant | null> {
  const [row] = await db.select().from(tables.supportGrants).where(eq(tables.supportGrants.id, id))
  return row ?? null
}

export async function insertGrant({ db, tables }: Handle, row: SupportGrant): Promise<void> {
  await db.insert(tables.supportGrants).values(row)
}

export async function revokeGrant({ db, tables }: Handle, id: string, now: number): Promise<void> {
  await db.update(tables.supportGrants).set({ revokedAt: now, updatedAt: now }).where(eq(tables.supportGrants.id, id))
}

/** Deletes the grants of a user whose account is deleted. */
export async function deleteGrantsOf({ db, tables }: Handle, adminId: string): Promise<void> {
  await db.delete(tables.supportGrants).where(eq(tables.supportGrants.adminId, adminId))
}
