import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type CredentialLockRow = Handle['tables']['credentialLocks']['$inferSelect']

export async function findLock({ db, tables }: Handle, projectId: string): Promise<CredentialLockRow | null> {
  const { credentialLocks: l } = tables
  const [row] = await db.select().from(l).where(eq(l.projectId, projectId))
  return row ?? null
}

export async function saveLock({ db, tables }: Handle, row: CredentialLockRow): Promise<void> {
  const { projectId, ...set } = row
  await db.insert(tables.credentialLocks).values(row).onConflictDoUpdate({
    target: tables.credentialLocks.projectId,
    set,
  })
}

/** Does nothing when another holder has the lock meanwhile. */
export async function deleteLock({ db, tables }: Handle, projectId: string, holder: string): Promise<void> {
  const { credentialLocks: l } = tables
  await db.delete(l).where(and(eq(l.projectId, projectId), eq(l.holder, holder)))
}
