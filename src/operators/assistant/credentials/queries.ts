import { eq } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'

export type CredentialsRow = Handle['tables']['assistantCredentials']['$inferSelect']

export async function findCredentials({ db, tables }: Handle, projectId: string): Promise<CredentialsRow | null> {
  const { assistantCredentials: c } = tables
  const [row] = await db.select().from(c).where(eq(c.projectId, projectId))
  return row ?? null
}

export async function saveCredentialsRow({ db, tables }: Handle, row: CredentialsRow): Promise<void> {
  const { assistantCredentials: c } = tables
  const { projectId: _key, createdAt: _first, ...set } = row
  await db.insert(c).values(row).onConflictDoUpdate({ target: c.projectId, set })
}

export async function deleteCredentialsRow({ db, tables }: Handle, projectId: string): Promise<void> {
  const { assistantCredentials: c } = tables
  await db.delete(c).where(eq(c.projectId, projectId))
}
