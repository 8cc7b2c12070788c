import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { type Call, guarded } from '../../base/http/guarded'
import { HOUR } from '../../base/lib/clock'
import type { Actor } from '../audit/audit'
import type { Session, User } from './sessions'
import { signedIn } from './signed-in'

/** A session that administers the platform, or reads a project by a support grant, is at most so old. */
export const ADMIN_SESSION_LIFE_MS = 12 * HOUR

/** What a handler of a platform administration route gets in addition to Elysia's own members. */
// A type, not an interface: Elysia's derive requires an index signature.
export type Admin = {
  user: User
  session: Session
  /** The user, in the form in which the audit log records who made a change. */
  actor: Actor
}

/**
 * Routes below `/admin`. They require a session that is at most 12 hours old and has passed two factors, and a user
 * whose e-mail address belongs to the platform (wire 7.15).
 */
export const admin = (ctx: Context) =>
  guarded(ctx, {
    detail: { 'x-door': 'admin', 'x-who': 'platform administrator' },
    authenticate: (call) => admit(ctx, call),
    keyScope: ({ user }) => ({ owner: user.id, projectId: '', identity: '', budget: { who: user.id, of: 'USER' } }),
  })

async function admit(ctx: Context, call: Call): Promise<Admin> {
  const { user, session } = await signedIn(ctx, call, { takesTokens: false })
  if (!session) throw new AppError('UNAUTHORIZED')
  if (!isOfPlatform(ctx, user)) throw new AppError('ADMIN_EMAIL_DOMAIN')
  if (!user.hasTwoFactor || !session.hasPassedTwoFactor) throw new AppError('ADMIN_2FA_REQUIRED')
  if (ctx.clock.now() - session.createdAt > ADMIN_SESSION_LIFE_MS) throw new AppError('ADMIN_SESSION_EXPIRED')
  return { user, session, actor: { kind: 'USER', id: user.id, email: user.email } }
}

const isOfPlatform = (ctx: Context, { email, isEmailVerified }: User): boolean =>
  isEmailVerified && ctx.state.sessions.isAdminDomain(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
