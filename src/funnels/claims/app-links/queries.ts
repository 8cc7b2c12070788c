import { eq, isNull } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { AppLinks } from '../../../core/app-links/model'

type AppLinksRow = Handle['tables']['appLinks']['$inferSelect']

/** Where the apps of a project are; null while nothing is saved. */
export async function findAppLinks(
  { db, tables: { appLinks: a } }: Handle,
  projectId: string,
): Promise<AppLinks | null> {
  const [row] = await db.select({ links: a.links }).from(a).where(eq(a.projectId, projectId))
  return row?.links ?? null
}

/** The apps of every project, the oldest first. */
export async function listAppLinks({ db, tables: { appLinks: a, projects: p } }: Handle): Promise<AppLinks[]> {
  const rows = await db
    .select({ links: a.links })
    .from(a)
    .innerJoin(p, eq(p.id, a.projectId))
    .where(isNull(p.deletedAt))
    .orderBy(a.projectId)
  return rows.map(({ links }) => links)
}

export async function saveAppLinks({ db, tables: { appLinks: a } }: Handle, row: AppLinksRow): Promise<void> {
  const { links, updatedAt } = row
  await db.insert(a).values(row).onConflictDoUpdate({ target: a.projectId, set: { links, updatedAt } })
}

export async function deleteAppLinks({ db, tables: { appLinks: a } }: Handle, projectId: string): Promise<void> {
  await db.delete(a).where(eq(a.projectId, projectId))
}
