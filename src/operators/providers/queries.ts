import { and, asc, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type IdentityRow = Handle['tables']['identities']['$inferSelect']

export async function findIdentity(
  { db, tables }: Handle,
  provider: string,
  subject: string,
): Promise<IdentityRow | null> {
  const { identities: i } = tables
  const [row] = await db
    .select()
    .from(i)
    .where(and(eq(i.provider, provider), eq(i.subject, subject)))
  return row ?? null
}

export const listIdentities = ({ db, tables: { identities: i } }: Handle, userId: string): Promise<IdentityRow[]> =>
  db.select().from(i).where(eq(i.userId, userId)).orderBy(asc(i.provider))

/** False when the identity belongs to an account already, or the account has another one at this provider. */
export async function insertIdentity({ db, tables }: Handle, row: IdentityRow): Promise<boolean> {
  const insert = db.insert(tables.identities).values(row).onConflictDoNothing()
  return (await insert.returning({ subject: tables.identities.subject })).length > 0
}

export async function deleteIdentity({ db, tables }: Handle, userId: string, provider: string): Promise<boolean> {
  const { identities: i } = tables
  const deleted = db.delete(i).where(and(eq(i.userId, userId), eq(i.provider, provider)))
  return (await deleted.returning({ subject: i.subject })).length > 0
}
