import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type StoreSettingsRow = Handle['tables']['storeSettings']['$inferSelect']

/** Whether any project has the slug. A deleted project keeps its slug: its addresses must not reach another project. */
export async function isSlugTaken({ db, tables }: Handle, slug: string): Promise<boolean> {
  const { projects } = tables
  const rows = await db.select({ id: projects.id }).from(projects).where(eq(projects.slug, slug))
  return rows.length > 0
}

/** Writes the last use of a key, unless the saved one is less than `stepMs` milliseconds older. */
export async function stampKeyUse({ db, tables }: Handle, id: string, at: number, stepMs: number): Promise<void> {
  const { apiKeys: k } = tables
  const isOld = or(isNull(k.lastUsedAt), lte(k.lastUsedAt, at - stepMs))
  await db
    .update(k)
    .set({ lastUsedAt: at })
    .where(and(eq(k.id, id), isOld))
}

export async function listStoreSettings({ db, tables }: Handle, projectId: string): Promise<StoreSettingsRow[]> {
  const { storeSettings: s } = tables
  return db.select().from(s).where(eq(s.projectId, projectId)).orderBy(s.section)
}

export async function upsertStoreSettings({ db, tables }: Handle, row: StoreSettingsRow): Promise<void> {
  const { storeSettings: s } = tables
  const { config, sealed, updatedAt } = row
  const target = [s.projectId, s.section]
  await db.insert(s).values(row).onConflictDoUpdate({ target, set: { config, sealed, updatedAt } })
}

export async function deleteStoreSettings({ db, tables }: Handle, projectId: string, section: string): Promise<void> {
  const { storeSettings: s } = tables
  await db.delete(s).where(and(eq(s.projectId, projectId), eq(s.section, section)))
}
