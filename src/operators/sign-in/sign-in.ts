import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { actorOf, recordAccount } from '../accounts/audit-entry'
import { type Begun, begin } from '../accounts/begin'
import { type Visit, writeCookies } from '../accounts/cookies'
import { emailKey } from '../accounts/email'
import { endSession } from '../accounts/sessions'
import { findAccountByEmail } from '../accounts/users'

/** 401 `UNAUTHORIZED` with one text for an unknown address, a wrong password and an account without a password. */
export async function signIn(ctx: Context, visit: Visit, email: string, password: string): Promise<Begun> {
  const known = await findAccountByEmail(ctx, emailKey(email))
  const passwordHash = known?.user.passwordHash ?? null
  const isRight = await ctx.state.passwords.isRight(password, passwordHash)
  const isKnown = isRight && known !== null && passwordHash !== null
  const begun = isKnown ? await begin(ctx, visit, known.user.id, { by: 'PASSWORD', passwordHash }) : null
  if (!begun) throw new AppError('UNAUTHORIZED', undefined, { message: 'The mail address or the password is wrong' })
  return begun
}

/** Ends the session and removes its cookies. */
export async function signOut(
  ctx: Context,
  visit: Visit,
  user: { id: string; email: string },
  sessionId: string,
): Promise<void> {
  await ctx.write(async (tx) => {
    if (await endSession(tx, user.id, sessionId)) await recordAccount(tx, actorOf(user), user.id, 'session.delete')
  })
  writeCookies(ctx, visit, { svc_session: null, svc_challenge: null })
}
