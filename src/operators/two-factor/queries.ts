import { and, eq, gt, isNull, lt, or, sql, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'

export type TwoFactorRow = Handle['tables']['twoFactors']['$inferSelect']

export async function findTwoFactor({ db, tables }: Handle, userId: string): Promise<TwoFactorRow | null> {
  const [row] = await db.select().from(tables.twoFactors).where(eq(tables.twoFactors.userId, userId))
  return row ?? null
}

/** Replaces a secret that was not confirmed. False when there is a confirmed one. */
export async function saveUnconfirmed({ db, tables }: Handle, row: TwoFactorRow): Promise<boolean> {
  const { twoFactors: f } = tables
  const insert = db
    .insert(f)
    .values(row)
    .onConflictDoUpdate({ target: f.userId, set: row, setWhere: isNull(f.confirmedAt) })
  return (await insert.returning({ userId: f.userId })).length > 0
}

export async function confirm({ db, tables }: Handle, userId: string, now: number, step: number): Promise<boolean> {
  const { twoFactors: f } = tables
  const confirmed = db
    .update(f)
    .set({ confirmedAt: now, lastStep: step })
    .where(and(eq(f.userId, userId), isNull(f.confirmedAt)))
  return (await confirmed.returning({ userId: f.userId })).length > 0
}

/** Uses a step up. False when it, or a newer one, was used before. */
export async function useStep({ db, tables }: Handle, userId: string, step: number): Promise<boolean> {
  const { twoFactors: f } = tables
  const isNewer = or(isNull(f.lastStep), lt(f.lastStep, step))
  const used = db
    .update(f)
    .set({ lastStep: step })
    .where(and(eq(f.userId, userId), isNewer))
  return (await used.returning({ userId: f.userId })).length > 0
}

export async function useBackupCode({ db, tables }: Handle, userId: string, codeHash: string): Promise<boolean> {
  const { backupCodes: c } = tables
  const used = db.delete(c).where(and(eq(c.userId, userId), eq(c.codeHash, codeHash)))
  return (await used.returning({ userId: c.userId })).length > 0
}

export async function replaceBackupCodes({ db, tables }: Handle, userId: string, hashes: string[]): Promise<void> {
  const { backupCodes: c } = tables
  await db.delete(c).where(eq(c.userId, userId))
  await db.insert(c).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

/** False when there was none. */
export async function deleteTwoFactor({ db, tables }: Handle, userId: string): Promise<boolean> {
  const { twoFactors: f, backupCodes: c } = tables
  await db.delete(c).where(eq(c.userId, userId))
  const gone = db.delete(f).where(eq(f.userId, userId))
  return (await gone.returning({ userId: f.userId })).length > 0
}

/** The user of a challenge that is open. */
export async function findChallengeUser(
  { db, tables }: Handle,
  tokenHash: string,
  now: number,
): Promise<string | null> {
  const { challenges: c } = tables
  const [row] = await db
    .select({ userId: c.userId })
    .from(c)
    .where(and(eq(c.tokenHash, tokenHash), gt(c.expiresAt, now)))
  return row?.userId ?? null
}

/** Codes that were given in challenges of a user that end after an instant. A right code deletes its challenge. */
export async function countAttempts(
  { db, tables: { challenges: c } }: Handle,
  userId: string,
  since: number,
): Promise<number> {
  const [row] = await db
    .select({ attempts: sum(c.attempts) })
    .from(c)
    .where(and(eq(c.userId, userId), gt(c.expiresAt, since)))
  return Number(row?.attempts ?? 0)
}

/** Counts one attempt. False when the challenge is over: too many attempts, too old, or used. */
export async function countAttempt(
  { db, tables }: Handle,
  tokenHash: string,
  now: number,
  maximum: number,
): Promise<boolean> {
  const { challenges: c } = tables
  const isOpen = and(eq(c.tokenHash, tokenHash), gt(c.expiresAt, now), lt(c.attempts, maximum))
  const counted = db
    .update(c)
    .set({ attempts: sql`${c.attempts} + 1` })
    .where(isOpen)
  return (await counted.returning({ userId: c.userId })).length > 0
}

export async function deleteChallenge({ db, tables }: Handle, tokenHash: string): Promise<void> {
  await db.delete(tables.challenges).where(eq(tables.challenges.tokenHash, tokenHash))
}

/** The session gets a new token, and is one that has passed both factors. */
export async function raiseSession({ db, tables }: Handle, id: string, tokenHash: string, now: number): Promise<void> {
  const { userSessions: s } = tables
  await db.update(s).set({ tokenHash, secondFactorAt: now }).where(eq(s.id, id))
}

/** Whether a user has a session that was opened from a client address. */
export async function hasSessionFrom(
  { db, tables }: Handle,
  userId: string,
  ip: string,
  now: number,
): Promise<boolean> {
  const { userSessions: s } = tables
  const isIt = and(eq(s.userId, userId), eq(s.ip, ip), gt(s.expiresAt, now))
  return (await db.select({ id: s.id }).from(s).where(isIt).limit(1)).length > 0
}
