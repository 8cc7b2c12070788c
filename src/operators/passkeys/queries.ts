import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { After } from '../accounts/after'

export type PasskeyRow = Handle['tables']['passkeys']['$inferSelect']

export const listPasskeys = (
  { db, tables: { passkeys: p } }: Handle,
  userId: string,
  after: After | null,
  limit: number,
): Promise<PasskeyRow[]> => {
  const isLater =
    after === null
      ? undefined
      : or(lt(p.createdAt, after.createdAt), and(eq(p.createdAt, after.createdAt), lt(p.id, after.id)))
  const own = db
    .select()
    .from(p)
    .where(and(eq(p.userId, userId), isLater))
  return own.orderBy(desc(p.createdAt), desc(p.id)).limit(limit)
}

export async function findPasskey({ db, tables }: Handle, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.select().from(tables.passkeys).where(eq(tables.passkeys.credentialId, credentialId))
  return row ?? null
}

/** False when the credential is known already. */
export async function insertPasskey({ db, tables }: Handle, row: PasskeyRow): Promise<boolean> {
  const insert = db.insert(tables.passkeys).values(row).onConflictDoNothing()
  return (await insert.returning({ id: tables.passkeys.id })).length > 0
}

/** Records a use. False when the passkey was removed meanwhile. */
export async function usePasskey({ db, tables }: Handle, id: string, counter: number, at: number): Promise<boolean> {
  const { passkeys: p } = tables
  const used = db.update(p).set({ counter, lastUsedAt: at }).where(eq(p.id, id))
  return (await used.returning({ id: p.id })).length > 0
}

export async function deletePasskey({ db, tables }: Handle, userId: string, id: string): Promise<PasskeyRow | null> {
  const { passkeys: p } = tables
  const [row] = await db
    .delete(p)
    .where(and(eq(p.userId, userId), eq(p.id, id)))
    .returning()
  return row ?? null
}

/**
 * Records that a challenge was answered. False when it was answered before. The row names no user: it outlives the
 * user's other challenges, which a reset of the password ends, and no code of a second factor answers it.
 */
export async function spendChallenge({ db, tables }: Handle, tokenHash: string, expiresAt: number): Promise<boolean> {
  const row = { tokenHash, userId: '', attempts: 0, expiresAt }
  const insert = db.insert(tables.challenges).values(row).onConflictDoNothing()
  return (await insert.returning({ tokenHash: tables.challenges.tokenHash })).length > 0
}
