import { and, count, eq, gt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { MailPurpose } from '../accounts/tables'

export type MailTokenRow = Handle['tables']['mailTokens']['$inferSelect']

export async function insertSetupToken({ db, tables }: Handle, tokenHash: string, expiresAt: number): Promise<void> {
  await db.insert(tables.setupTokens).values({ tokenHash, expiresAt })
}

/** False when there is no such token, or it has expired or was used. */
export async function takeSetupToken({ db, tables }: Handle, tokenHash: string, now: number): Promise<boolean> {
  const { setupTokens: t } = tables
  const isValid = and(eq(t.tokenHash, tokenHash), gt(t.expiresAt, now))
  return (await db.delete(t).where(isValid).returning({ tokenHash: t.tokenHash })).length > 0
}

export async function hasSetupToken({ db, tables }: Handle, tokenHash: string, now: number): Promise<boolean> {
  const { setupTokens: t } = tables
  const isValid = and(eq(t.tokenHash, tokenHash), gt(t.expiresAt, now))
  return (await db.select({ tokenHash: t.tokenHash }).from(t).where(isValid)).length > 0
}

export async function deleteSetupTokens({ db, tables }: Handle): Promise<void> {
  await db.delete(tables.setupTokens)
}

export async function insertMailToken({ db, tables }: Handle, row: MailTokenRow): Promise<void> {
  await db.insert(tables.mailTokens).values(row)
}

const isValidToken = ({ tables: { mailTokens: t } }: Handle, purpose: MailPurpose, hash: string, now: number) =>
  and(eq(t.tokenHash, hash), eq(t.purpose, purpose), gt(t.expiresAt, now))

export async function findMailToken(
  handle: Handle,
  purpose: MailPurpose,
  hash: string,
  now: number,
): Promise<MailTokenRow | null> {
  const { mailTokens: t } = handle.tables
  const [row] = await handle.db
    .select()
    .from(t)
    .where(isValidToken(handle, purpose, hash, now))
  return row ?? null
}

/** How many links of a kind a user has that work. */
export async function countMailTokens(
  { db, tables }: Handle,
  userId: string,
  purpose: MailPurpose,
  now: number,
): Promise<number> {
  const { mailTokens: t } = tables
  const isTheirs = and(eq(t.userId, userId), eq(t.purpose, purpose), gt(t.expiresAt, now))
  const [row] = await db.select({ found: count() }).from(t).where(isTheirs)
  return row?.found ?? 0
}

/** Uses a token up. Null when there is no such token, or it has expired or was used. */
export async function takeMailToken(
  handle: Handle,
  purpose: MailPurpose,
  hash: string,
  now: number,
): Promise<MailTokenRow | null> {
  const { mailTokens: t } = handle.tables
  const [row] = await handle.db
    .delete(t)
    .where(isValidToken(handle, purpose, hash, now))
    .returning()
  return row ?? null
}

/** Ends every link of a kind that was mailed to a user. */
export async function deleteMailTokens({ db, tables }: Handle, userId: string, purpose: MailPurpose): Promise<void> {
  const { mailTokens: t } = tables
  await db.delete(t).where(and(eq(t.userId, userId), eq(t.purpose, purpose)))
}
