import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Account } from '../accounts/users'

const MAX_USERS = 10_000

/** All users, the first one first. */
export async function listAccounts({ db, tables }: Handle): Promise<Account[]> {
  const { users: u, twoFactors: f } = tables
  const isOn = and(eq(f.userId, u.id), isNotNull(f.confirmedAt))
  const rows = db.select({ user: u, confirmedAt: f.confirmedAt }).from(u).leftJoin(f, isOn)
  const found = await rows.orderBy(asc(u.createdAt), asc(u.id)).limit(MAX_USERS)
  return found.map(({ user, confirmedAt }) => ({ user, hasTwoFactor: confirmedAt !== null }))
}
