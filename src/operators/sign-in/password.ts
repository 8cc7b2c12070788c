import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import { requireRecent } from '../../projects/doors/account'
import type { Session } from '../../projects/doors/sessions'
import { recordAccount } from '../accounts/audit-entry'
import type { Visit } from '../accounts/cookies'
import { deleteChallenges, endSessions } from '../accounts/sessions'
import { type Account, updateUser } from '../accounts/users'
import { limitProof } from './limits'
import { mailPasswordChanged } from './mail-links'
import { deleteMailTokens } from './queries'

interface Change {
  passwordHash: string
  action: 'user.reset_password' | 'user.change_password'
  /** The session that stays; all others end. */
  keptSession?: string | null
}

/**
 * Sets a password, under the lock of the user. Sessions, challenges and reset links end. Personal access tokens stay,
 * and the mail says so.
 */
export async function changePassword(
  tx: Tx,
  actor: Actor,
  { user }: Account,
  { passwordHash, action, keptSession = null }: Change,
): Promise<void> {
  await updateUser(tx, user.id, { passwordHash, updatedAt: tx.clock.now() })
  const endedSessions = await endSessions(tx, user.id, keptSession)
  await deleteChallenges(tx, user.id)
  await deleteMailTokens(tx, user.id, 'PASSWORD_RESET')
  await recordAccount(tx, actor, user.id, action, { after: { endedSessions } })
  await mailPasswordChanged(tx, user)
}

/**
 * Shows again that it is the person: by the password, or without one by a session that is at most 10 minutes old. 401
 * otherwise.
 */
export async function requirePerson(
  ctx: Context,
  visit: Visit,
  { user }: Account,
  { session, password }: { session: Session | null; password: string | undefined },
): Promise<void> {
  if (password === undefined) requireRecent(ctx, session)
  else {
    await limitProof(ctx, visit, user.id)
    if (!(await ctx.state.passwords.isRight(password, user.passwordHash)))
      throw new AppError('UNAUTHORIZED', undefined, { message: 'The password is wrong' })
  }
}
