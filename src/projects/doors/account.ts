import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { type Call, guarded } from '../../base/http/guarded'
import type { IdempotencyRules } from '../../base/http/kept-answer'
import { MINUTE } from '../../base/lib/clock'
import type { Actor } from '../audit/audit'
import { notOpened, opens } from './scopes'
import type { Session, User } from './sessions'
import { signedIn } from './signed-in'

/** What a route of the signed-in person's own account requires (wire 7.2). */
export interface AccountGuard {
  /** `session`: personal access tokens are refused with 401. */
  by: 'session' | 'any'
  /** Whether its GET is open to every token, whatever the scopes: a command finds its project with it. */
  forEveryToken?: boolean
  idempotency?: IdempotencyRules
}

/** What a handler of such a route gets in addition to Elysia's own members. */
// A type, not an interface: Elysia's derive requires an index signature.
export type Account = {
  user: User
  /** Null when the user signed in with a personal access token. */
  session: Session | null
  /** The user, in the form in which the audit log records who made a change. */
  actor: Actor
}

/** Routes below `/dashboard` that belong to the signed-in person and not to one project. */
export const account = (ctx: Context, guard: AccountGuard) =>
  guarded(ctx, {
    detail: { 'x-door': 'account', 'x-who': guard.by === 'session' ? 'me (session only)' : 'me' },
    idempotency: guard.idempotency,
    authenticate: (call) => admit(ctx, guard, call),
    keyScope: ({ user }) => ({ owner: user.id, projectId: '', identity: '', budget: { who: user.id, of: 'USER' } }),
  })

async function admit(ctx: Context, guard: AccountGuard, call: Call): Promise<Account> {
  const { user, session, scopes } = await signedIn(ctx, call, { takesTokens: guard.by === 'any' })
  const { method } = call.request
  if (!opens(scopes, method, { forEveryToken: guard.forEveryToken })) throw notOpened(method)
  return { user, session, actor: { kind: 'USER', id: user.id, email: user.email } }
}

const RECENT_MS = 10 * MINUTE

/** Whether the session is young enough for a change that needs the person themselves: at most 10 minutes old. */
export const isRecent = (ctx: Context, session: Session | null): session is Session =>
  session !== null && ctx.clock.now() - session.createdAt <= RECENT_MS

/** 401 `UNAUTHORIZED` unless the session is at most 10 minutes old. */
export function requireRecent(ctx: Context, session: Session | null): Session {
  if (isRecent(ctx, session)) return session
  const message = 'This needs a fresh sign-in: sign in again, and repeat it within 10 minutes'
  throw new AppError('UNAUTHORIZED', undefined, { message })
}
