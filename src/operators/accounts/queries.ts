import { and, eq, inArray, isNotNull, lt, ne } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type UserRow = Handle['tables']['users']['$inferSelect']
export type SessionRow = Handle['tables']['userSessions']['$inferSelect']

/** A user, and whether signing in needs a second factor. */
export interface Account {
  user: UserRow
  hasTwoFactor: boolean
}

const accounts = ({ db, tables: { users: u, twoFactors: f } }: Handle) => {
  const columns = { user: u, confirmedAt: f.confirmedAt }
  return db
    .select(columns)
    .from(u)
    .leftJoin(f, and(eq(f.userId, u.id), isNotNull(f.confirmedAt)))
}

const toAccount = (row: { user: UserRow; confirmedAt: number | null } | undefined): Account | null =>
  row ? { user: row.user, hasTwoFactor: row.confirmedAt !== null } : null

export const findAccount = async (handle: Handle, userId: string): Promise<Account | null> =>
  toAccount((await accounts(handle).where(eq(handle.tables.users.id, userId)))[0])

export const findAccountByEmail = async (handle: Handle, emailKey: string): Promise<Account | null> =>
  toAccount((await accounts(handle).where(eq(handle.tables.users.emailKey, emailKey)))[0])

export async function hasUsers({ db, tables }: Handle): Promise<boolean> {
  const rows = await db.select({ id: tables.users.id }).from(tables.users).limit(1)
  return rows.length > 0
}

/** False when the address is taken. */
export async function insertUser({ db, tables }: Handle, row: UserRow): Promise<boolean> {
  const insert = db.insert(tables.users).values(row).onConflictDoNothing()
  return (await insert.returning({ id: tables.users.id })).length > 0
}

export async function updateUser({ db, tables }: Handle, id: string, set: Partial<UserRow>): Promise<void> {
  await db.update(tables.users).set(set).where(eq(tables.users.id, id))
}

/** A session with its user, by the hash of its token: one read for each request of the dashboard. */
export async function findSessionRow({ db, tables }: Handle, tokenHash: string) {
  const { userSessions: s, users: u, twoFactors: f } = tables
  const [row] = await db
    .select({ session: s, user: u, confirmedAt: f.confirmedAt })
    .from(s)
    .innerJoin(u, eq(u.id, s.userId))
    .leftJoin(f, eq(f.userId, u.id))
    .where(eq(s.tokenHash, tokenHash))
  return row ?? null
}

export async function findTokenRow({ db, tables }: Handle, tokenHash: string) {
  const { accessTokens: t, users: u, twoFactors: f } = tables
  const [row] = await db
    .select({ token: t, user: u, confirmedAt: f.confirmedAt })
    .from(t)
    .innerJoin(u, eq(u.id, t.userId))
    .leftJoin(f, eq(f.userId, u.id))
    .where(eq(t.tokenHash, tokenHash))
  return row ?? null
}

/** When a session ends, in ms; undefined when it has ended. */
export async function findSessionEnd({ db, tables }: Handle, id: string): Promise<number | undefined> {
  const { userSessions: s } = tables
  const [row] = await db.select({ expiresAt: s.expiresAt }).from(s).where(eq(s.id, id))
  return row?.expiresAt
}

/** When a token ends, in ms, or null for one without an end; undefined when it was revoked. */
export async function findTokenEnd({ db, tables }: Handle, id: string): Promise<number | null | undefined> {
  const { accessTokens: t } = tables
  const [row] = await db.select({ expiresAt: t.expiresAt }).from(t).where(eq(t.id, id))
  return row?.expiresAt
}

export async function insertSession({ db, tables }: Handle, row: SessionRow): Promise<void> {
  await db.insert(tables.userSessions).values(row)
}

/** Ends one session of a user. False when there is none of this id. */
export async function deleteSession({ db, tables }: Handle, userId: string, id: string): Promise<boolean> {
  const { userSessions: s } = tables
  const ended = await db
    .delete(s)
    .where(and(eq(s.userId, userId), eq(s.id, id)))
    .returning({ id: s.id })
  return ended.length > 0
}

/** Ends the sessions of a user, but one if given. Returns how many ended. */
export async function deleteSessions({ db, tables }: Handle, userId: string, except: string | null): Promise<number> {
  const { userSessions: s } = tables
  const isOther = except === null ? undefined : ne(s.id, except)
  const ended = await db
    .delete(s)
    .where(and(eq(s.userId, userId), isOther))
    .returning({ id: s.id })
  return ended.length
}

/** The session was used at this instant, and lives for its whole life from then on. */
export async function touchSession({ db, tables }: Handle, id: string, at: number, expiresAt: number): Promise<void> {
  const { userSessions: s } = tables
  await db
    .update(s)
    .set({ lastSeenAt: at, expiresAt })
    .where(and(eq(s.id, id), lt(s.lastSeenAt, at)))
}

export async function touchToken({ db, tables }: Handle, id: string, at: number): Promise<void> {
  await db.update(tables.accessTokens).set({ lastUsedAt: at }).where(eq(tables.accessTokens.id, id))
}

export async function insertChallenge(
  { db, tables }: Handle,
  row: Handle['tables']['challenges']['$inferSelect'],
): Promise<void> {
  await db.insert(tables.challenges).values(row)
}

/** Ends every sign-in of a user that waits for its second factor. */
export async function deleteChallenges({ db, tables }: Handle, userId: string): Promise<void> {
  await db.delete(tables.challenges).where(eq(tables.challenges.userId, userId))
}

/** Deletes what has expired before this instant. */
export async function deleteExpired({ db, tables }: Handle, before: number): Promise<void> {
  for (const table of [tables.userSessions, tables.challenges, tables.mailTokens, tables.setupTokens])
    await db.delete(table).where(lt(table.expiresAt, before))
}

/** Deletes a user and all rows that belong to accounts. */
export async function deleteUserRows(handle: Handle, userId: string): Promise<void> {
  const { preferences, users } = handle.tables
  await deleteCredentials(handle, userId)
  await handle.db.delete(preferences).where(eq(preferences.userId, userId))
  await handle.db.delete(users).where(eq(users.id, userId))
}

/** Deletes every way to sign in as a user, except the password. Returns how many sessions and tokens ended. */
export async function deleteCredentials({ db, tables }: Handle, userId: string) {
  const {
    userSessions: s,
    accessTokens: t,
    challenges,
    twoFactors,
    backupCodes,
    mailTokens,
    identities,
    passkeys,
  } = tables
  const sessions = await db.delete(s).where(eq(s.userId, userId)).returning({ id: s.id })
  const tokens = await db.delete(t).where(eq(t.userId, userId)).returning({ id: t.id })
  for (const table of [challenges, twoFactors, backupCodes, mailTokens, identities, passkeys])
    await db.delete(table).where(inArray(table.userId, [userId]))
  return { endedSessions: sessions.length, deletedTokens: tokens.length }
}
