import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

type SetupRow = Handle['tables']['pubsubSetups']['$inferSelect']

/** The text of the saved set-up; null when there is none. */
export async function findSetup({ db, tables }: Handle, projectId: string): Promise<string | null> {
  const { pubsubSetups: s } = tables
  const [row] = await db.select({ setup: s.setup }).from(s).where(eq(s.projectId, projectId))
  return row?.setup ?? null
}

export async function writeSetup({ db, tables }: Handle, row: SetupRow): Promise<void> {
  const { setup, updatedAt } = row
  const target = tables.pubsubSetups.projectId
  await db.insert(tables.pubsubSetups).values(row).onConflictDoUpdate({ target, set: { setup, updatedAt } })
}

export async function deleteSetup({ db, tables }: Handle, projectId: string): Promise<void> {
  await db.delete(tables.pubsubSetups).where(eq(tables.pubsubSetups.projectId, projectId))
}
