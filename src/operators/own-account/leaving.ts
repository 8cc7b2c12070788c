import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import { deleteUser } from '../accounts/delete-user'
import { emailKey } from '../accounts/email'
import { toMe } from '../accounts/me'
import { getAccount } from './profile'
import { listSessionRows } from './queries'
import { toSessionView } from './sessions'

/** Deletes the account of the signed-in person, who repeats their address. */
export async function deleteOwnAccount(
  ctx: Context,
  actor: Actor,
  { id, email }: { id: string; email: string },
  confirmEmail: string,
): Promise<void> {
  if (emailKey(confirmEmail) !== emailKey(email)) throw new AppError('CONFIRM_EMAIL_MISMATCH')
  if (!(await ctx.write((tx) => deleteUser(tx, actor, id)))) throw notFound('account')
}

const MAX_SESSIONS = 1000

/** Everything that is kept about the signed-in person, but for what opens something. */
export async function exportAccount(ctx: Context, userId: string, currentId: string | null) {
  const user = toMe(ctx, await getAccount(ctx, userId))
  const parts = await Promise.all((ctx.hooks.exportOfUser ?? []).map((exportOf) => exportOf(ctx, userId)))
  const sessions = await listSessionRows(ctx, userId, null, MAX_SESSIONS)
  return {
    user,
    memberships: parts.flatMap(({ memberships }) => memberships),
    sessions: sessions.map((row) => toSessionView(row, currentId)),
  }
}
