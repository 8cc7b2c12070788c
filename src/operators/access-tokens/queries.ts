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

const MAX_LISTED = 1000

/** The newest tokens with the addresses of their owners: of one user, or of all. */
export async function listTokensWithOwners(
  { db, tables }: Handle,
  userId: string | null,
): Promise<{ token: TokenRow; email: string }[]> {
  const { accessTokens: t, users: u } = tables
  const rows = db.select({ token: t, email: u.email }).from(t).innerJoin(u, eq(u.id, t.userId))
  const found = rows.where(userId === null ? undefined : eq(t.userId, userId))
  return found.orderBy(desc(t.createdAt), desc(t.id)).limit(MAX_LISTED)
}

export async function findTokenOwner({ db, tables }: Handle, id: string): Promise<string | null> {
  const { accessTokens: t } = tables
  const [row] = await db.select({ userId: t.userId }).from(t).where(eq(t.id, id))
  return row?.userId ?? null
}

export async function findTokenName({ db, tables }: Handle, id: string): Promise<string | null> {
  const { accessTokens: t } = tables
  const [row] = await db.select({ name: t.name }).from(t).where(eq(t.id, id))
  return row?.name ?? null
}
