import type { Context } from '../../base/context'
import { AppError, RefusalReason } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import type { Call } from '../../base/http/guarded'
import { isDashboardOrigin, ownOrigin } from '../../base/http/own-origin'
import type { PersonalToken, Session, SignIn, User } from './sessions'

/** The user who has signed in, and how. */
export interface SignedIn {
  user: User
  /** Null when the user signed in with a personal access token. */
  session: Session | null
  /** What the token may do of what the user may do; null = all, as in a session. */
  scopes: readonly string[] | null
  signIn: SignIn
}

interface Options {
  /** Whether a personal access token is accepted instead of a session. */
  takesTokens: boolean
}

/**
 * The user of a call. 401 without a valid session or token, 403 when a page of another origin changes something, 429
 * above the user's rate (wire 7.1).
 */
export async function signedIn(ctx: Context, call: Call, options: Options): Promise<SignedIn> {
  const found = await findSignedIn(ctx, call.request, options)
  if (!found) throw refusalOf(call.request, options)
  if (found.session) refuseOtherOrigin(ctx, call.request)
  const now = ctx.clock.now()
  const limit = await ctx.state.limits.hit('user', found.user.id, ctx.config.ratePerUser, now)
  countLimit(ctx, call.facts, call.headers, limit)
  return found
}

/** Null without a valid session or token. A token is used before a cookie. An Authorization header of another scheme is ignored: a proxy may set it. */
export async function findSignedIn(ctx: Context, request: Request, { takesTokens }: Options): Promise<SignedIn | null> {
  const { sessions } = ctx.state
  const token = tokenOf(request.headers.get('authorization'))
  if (token !== null) {
    const found = takesTokens ? await sessions.findToken(token) : null
    return found && isLive(found, ctx.clock.now()) ? ofToken(found) : null
  }
  const cookie = cookieOf(request.headers.get('cookie'), sessionCookie(ctx, request))
  const session = cookie === null ? null : await sessions.findSession(cookie)
  return session && isLive(session, ctx.clock.now()) ? ofSession(session) : null
}

const ofToken = ({ id, user, scopes }: PersonalToken): SignedIn => ({
  ...{ user, session: null, scopes },
  signIn: { kind: 'TOKEN', id },
})

const ofSession = (session: Session): SignedIn => ({
  ...{ user: session.user, session, scopes: null },
  signIn: { kind: 'SESSION', id: session.id },
})

/** Says nothing about the token that was sent: the same for one that never was. */
function refusalOf(request: Request, { takesTokens }: Options): AppError {
  if (tokenOf(request.headers.get('authorization')) === null) return new AppError('UNAUTHORIZED')
  const message = takesTokens
    ? 'This personal access token is not known, or is revoked or past its end; make a new one on the account page'
    : 'No personal access token opens this; sign in to the console in a browser'
  return new AppError('UNAUTHORIZED', undefined, { message })
}

const tokenOf = (authorization: string | null): string | null =>
  /^\s*bearer +(svc_pat_\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? null

/** The value of a cookie that a request carries. */
export function cookieOf(header: string | null, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [given = '', ...value] = pair.split('=')
    if (given.trim() === name) return value.join('=').trim() || null
  }
  return null
}

const sessionCookie = (ctx: Context, request: Request): string => cookieName(ctx, request, 'svc_session')

/** Browsers accept a cookie named `__Host-…` only over https, and only for the host that set it. */
export const cookieName = (ctx: Context, request: Request, name: string): string =>
  isSecure(ctx, request) ? `__Host-${name}` : name

/** Whether the dashboard is served over https. */
export const isSecure = (ctx: Context, request: Request): boolean => ownOrigin(ctx, request).startsWith('https:')

const isLive = (
  { expiresAt, revokedAt }: { expiresAt: number | null; revokedAt: number | null },
  now: number,
): boolean => revokedAt === null && (expiresAt === null || now < expiresAt)

/** A browser adds the cookie to requests from any page; only pages of the dashboard may change something. */
export function refuseOtherOrigin(ctx: Context, request: Request): void {
  if (!changesState(request.method) || isDashboardOrigin(ctx, request, request.headers.get('origin'))) return
  const origin = request.headers.get('origin')
  if (origin === null || !ORIGIN.test(origin)) throw new AppError('FORBIDDEN', undefined, { message: FROM_DASHBOARD })
  throw otherOrigin(ctx, origin, ownOrigin(ctx, request))
}

const FROM_DASHBOARD = 'A request that changes something must come from the console'
const ORIGIN = /^https?:\/\/[\w.:[\]-]{1,255}$/

/** Behind a proxy that ends TLS or changes the host, the dashboard itself seems to be another origin. */
function otherOrigin(ctx: Context, seen: string, expected: string): AppError {
  const { publicBaseUrl } = ctx.config
  const setting = publicBaseUrl === null ? 'is not set' : `is ${publicBaseUrl}`
  const what = `The page is of ${seen}, and this server expects ${expected}: PUBLIC_BASE_URL ${setting}`
  if (ctx.state.findings.note('other origin', { seen, expected }, ctx.clock.now()))
    ctx.log.warn('a page of another origin was refused', { seen, expected, variable: 'PUBLIC_BASE_URL' })
  return new AppError('FORBIDDEN', undefined, {
    message: `${FROM_DASHBOARD}. ${what}. If ${seen} is this dashboard, its operator sets PUBLIC_BASE_URL to it.`,
    cause: new RefusalReason(what),
  })
}

export const changesState = (method: string): boolean => method !== 'GET' && method !== 'HEAD'
