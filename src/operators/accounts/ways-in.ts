import { eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'

/** In how many ways a user can sign in: the password, each provider and each passkey count. */
export async function countWaysIn({ db, tables }: Handle, userId: string): Promise<number> {
  const { users: u, identities: i, passkeys: p } = tables
  const [user] = await db.select({ passwordHash: u.passwordHash }).from(u).where(eq(u.id, userId))
  const providers = await db.select({ id: i.provider }).from(i).where(eq(i.userId, userId))
  const keys = await db.select({ id: p.id }).from(p).where(eq(p.userId, userId))
  return (user?.passwordHash ? 1 : 0) + providers.length + keys.length
}

/** 409 `CONFLICT` when the way that is about to be removed is the user's last one. Call it under the lock of the user. */
export async function refuseLastWay(handle: Handle, userId: string): Promise<void> {
  if ((await countWaysIn(handle, userId)) > 1) return
  const message = 'This is the last way to sign in to the account; set a password or add another way first'
  throw new AppError('CONFLICT', undefined, { message })
}
