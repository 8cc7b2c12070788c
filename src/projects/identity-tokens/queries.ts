import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type IdentitySecretRow = Handle['tables']['identitySecrets']['$inferSelect']

export async function findIdentitySecret({ db, tables }: Handle, projectId: string): Promise<IdentitySecretRow | null> {
  const { identitySecrets: t } = tables
  const [row] = await db.select().from(t).where(eq(t.projectId, projectId))
  return row ?? null
}

export async function insertIdentitySecret({ db, tables }: Handle, row: IdentitySecretRow): Promise<void> {
  await db.insert(tables.identitySecrets).values(row)
}

export async function updateIdentitySecret(
  { db, tables }: Handle,
  projectId: string,
  change: Partial<IdentitySecretRow>,
): Promise<void> {
  await db.update(tables.identitySecrets).set(change).where(eq(tables.identitySecrets.projectId, projectId))
}
