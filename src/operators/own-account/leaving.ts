import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import type { Account } from '../../projects/doors/account'
import { lockUser, requireOpenSession } from '../accounts/begin'
import { emailKey } from '../accounts/email'
import { toMe } from '../accounts/me'
import { exportMemberships } from '../members/memberships'
import { deleteUser } from './delete-user'
import { getAccount } from './profile'
import { listSessionRows } from './queries'
import { toSessionView } from './sessions'

/**
 * Deletes the account of the signed-in person, who repeats their address. 401 when the session has ended meanwhile: the
 * account may have got another owner.
 */
export async function deleteOwnAccount(
  ctx: Context,
  actor: Actor,
  { user: { id, email }, session }: Pick<Account, 'user' | 'session'>,
  confirmEmail: string,
): Promise<void> {
  if (emailKey(confirmEmail) !== emailKey(email)) throw new AppError('CONFIRM_EMAIL_MISMATCH')
  const isDeleted = await ctx.write(async (tx) => {
    await lockUser(tx, id)
    await requireOpenSession(tx, id, session?.id)
    return deleteUser(tx, actor, id)
  })
  if (!isDeleted) throw notFound('account')
}

const MAX_SESSIONS = 1000

/** Everything that is kept about the signed-in person, but for what opens something. */
export async function exportAccount(ctx: Context, userId: string, currentId: string | null) {
  const user = toMe(ctx, await getAccount(ctx, userId))
  const memberships = await exportMemberships(ctx, userId)
  const sessions = await listSessionRows(ctx, userId, null, MAX_SESSIONS)
  return {
    user,
    memberships,
    sessions: sessions.map((row) => toSessionView(row, currentId)),
  }
}
