import { and, asc, count, desc, eq, inArray, isNull, lt, lte, ne } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Page } from '../../base/db/page'

export type DomainRow = Handle['tables']['customDomains']['$inferSelect']
export type FreedRow = Handle['tables']['freedHostnames']['$inferSelect']

export async function pageDomains(
  { db, tables: { customDomains: d } }: Handle,
  projectId: string,
  { beforeId, limit }: Page,
): Promise<DomainRow[]> {
  const isBefore = beforeId === undefined ? undefined : lt(d.id, beforeId)
  const found = db
    .select()
    .from(d)
    .where(and(eq(d.projectId, projectId), isBefore))
  return found.orderBy(desc(d.id)).limit(limit)
}

/** Every domain of a project, oldest first. */
export const listDomains = ({ db, tables: { customDomains: d } }: Handle, projectId: string): Promise<DomainRow[]> =>
  db.select().from(d).where(eq(d.projectId, projectId)).orderBy(asc(d.id))

export async function findDomain(
  { db, tables: { customDomains: d } }: Handle,
  projectId: string,
  id: string,
): Promise<DomainRow | null> {
  const [row] = await db
    .select()
    .from(d)
    .where(and(eq(d.projectId, projectId), eq(d.id, id)))
  return row ?? null
}

/** The domain of a project with this name. */
export async function findOwnName(
  { db, tables: { customDomains: d } }: Handle,
  projectId: string,
  hostname: string,
): Promise<DomainRow | null> {
  const [row] = await db
    .select()
    .from(d)
    .where(and(eq(d.projectId, projectId), eq(d.hostname, hostname)))
  return row ?? null
}

/** The verified domain with this name: at most one project has it. */
export async function findVerified(
  { db, tables: { customDomains: d } }: Handle,
  hostname: string,
): Promise<DomainRow | null> {
  const [row] = await db
    .select()
    .from(d)
    .where(and(eq(d.hostname, hostname), eq(d.status, 'VERIFIED')))
  return row ?? null
}

export async function countDomains({ db, tables: { customDomains: d } }: Handle, projectId: string): Promise<number> {
  const [row] = await db.select({ domains: count() }).from(d).where(eq(d.projectId, projectId))
  return row?.domains ?? 0
}

export async function insertDomain({ db, tables: { customDomains: d } }: Handle, row: DomainRow): Promise<void> {
  await db.insert(d).values(row)
}

/** The other projects that wait for the name are checked next, and learn that it is held. */
export async function checkOthersSoon(
  { db, tables: { customDomains: d } }: Handle,
  { id, hostname }: Pick<DomainRow, 'id' | 'hostname'>,
  nextCheckAt: number,
): Promise<void> {
  await db
    .update(d)
    .set({ nextCheckAt })
    .where(and(eq(d.hostname, hostname), eq(d.status, 'PENDING'), ne(d.id, id)))
}

export async function updateDomain(
  { db, tables: { customDomains: d } }: Handle,
  id: string,
  change: Partial<DomainRow>,
): Promise<void> {
  await db.update(d).set(change).where(eq(d.id, id))
}

export async function deleteDomain({ db, tables: { customDomains: d } }: Handle, id: string): Promise<void> {
  await db.delete(d).where(eq(d.id, id))
}

/** The domains whose check is due, the one that waits longest first. */
export async function listDue(
  { db, tables: { customDomains: d, projects: p } }: Handle,
  now: number,
  limit: number,
): Promise<DomainRow[]> {
  const rows = await db
    .select({ domain: d })
    .from(d)
    .innerJoin(p, eq(p.id, d.projectId))
    .where(and(lte(d.nextCheckAt, now), isNull(p.deletedAt)))
    .orderBy(asc(d.nextCheckAt))
    .limit(limit)
  return rows.map(({ domain }) => domain)
}

/** The domains of deleted projects. */
export async function listOrphaned({ db, tables: { customDomains: d, projects: p } }: Handle): Promise<DomainRow[]> {
  const deleted = db.select({ id: p.id }).from(p).where(lt(p.deletedAt, Number.MAX_SAFE_INTEGER))
  return db.select().from(d).where(inArray(d.projectId, deleted)).limit(500)
}

/** The verified names of all projects, in the order of the alphabet. */
export async function listVerified({ db, tables: { customDomains: d, projects: p } }: Handle) {
  return db
    .select({ hostname: d.hostname, projectId: d.projectId, projectSlug: p.slug })
    .from(d)
    .innerJoin(p, eq(p.id, d.projectId))
    .where(and(eq(d.status, 'VERIFIED'), isNull(p.deletedAt)))
    .orderBy(asc(d.hostname))
}

/** The root of a name that shows one of these funnels shows none any more. */
export async function clearRoots(
  { db, tables: { customDomains: d } }: Handle,
  funnelIds: readonly string[],
  updatedAt: number,
): Promise<void> {
  const change = { rootFunnelId: null, updatedAt }
  await db
    .update(d)
    .set(change)
    .where(inArray(d.rootFunnelId, [...funnelIds]))
}

export async function findFreed(
  { db, tables: { freedHostnames: f } }: Handle,
  hostname: string,
): Promise<FreedRow | null> {
  const [row] = await db.select().from(f).where(eq(f.hostname, hostname))
  return row ?? null
}

export async function saveFreed({ db, tables: { freedHostnames: f } }: Handle, row: FreedRow): Promise<void> {
  const { projectId, freedAt } = row
  await db.insert(f).values(row).onConflictDoUpdate({ target: f.hostname, set: { projectId, freedAt } })
}

export async function deleteFreed({ db, tables: { freedHostnames: f } }: Handle, hostname: string): Promise<void> {
  await db.delete(f).where(eq(f.hostname, hostname))
}

/** Deletes names that were freed before an instant. Returns how many. */
export async function deleteFreedBefore(
  { db, tables: { freedHostnames: f } }: Handle,
  before: number,
  limit: number,
): Promise<number> {
  const old = db.select({ hostname: f.hostname }).from(f).where(lt(f.freedAt, before)).limit(limit)
  const deleted = await db.delete(f).where(inArray(f.hostname, old)).returning({ hostname: f.hostname })
  return deleted.length
}
