import { and, count, desc, eq, isNull, lt, or } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { After } from '../accounts/after'

export type TokenRow = Handle['tables']['accessTokens']['$inferSelect']

/** The tokens of a user, newest first. */
export async function listTokenRows(
  { db, tables }: Handle,
  userId: string,
  after: After | null,
  limit: number,
): Promise<TokenRow[]> {
  const { accessTokens: t } = tables
  const isAfter =
    after && or(lt(t.createdAt, after.createdAt), and(eq(t.createdAt, after.createdAt), lt(t.id, after.id)))
  const rows = db
    .select()
    .from(t)
    .where(and(eq(t.userId, userId), isAfter ?? undefined))
  return rows.orderBy(desc(t.createdAt), desc(t.id)).limit(limit)
}

export async function countTokens({ db, tables }: Handle, userId: string): Promise<number> {
  const { accessTokens: t } = tables
  const [row] = await db.select({ found: count() }).from(t).where(eq(t.userId, userId))
  return row?.found ?? 0
}

/** Tokens of all users that have no end. */
export async function countEndless({ db, tables }: Handle): Promise<number> {
  const { accessTokens: t } = tables
  const [row] = await db.select({ found: count() }).from(t).where(isNull(t.expiresAt))
  return row?.found ?? 0
}

export async function insertToken({ db, tables }: Handle, row: TokenRow): Promise<void> {
  await db.insert(tables.accessTokens).values(row)
}

export async function removeToken({ db, tables }: Handle, userId: string, id: string): Promise<TokenRow | null> {
  const { accessTokens: t } = tables
  const [row] = await db
    .delete(t)
    .where(and(eq(t.userId, userId), eq(t.id, id)))
    .returning()
  return row ?? null
}
