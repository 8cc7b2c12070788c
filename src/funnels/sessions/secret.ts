import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { cookieOf, isSecure } from '../../projects/doors/signed-in'

export const SESSION_HEADER = 'X-Svc-Funnel-Session'
/** The header in the OpenAPI document. */
export const sessionParameter = {
  name: SESSION_HEADER,
  in: 'header',
  description: 'The session_token, where the cookie `svc_fs_<session id>` does not arrive. Without either: 404.',
  required: false,
  schema: { type: 'string', pattern: '^svc_fst_[0-9A-Za-z_-]{43}$' },
} as const

const COOKIE = 'svc_fs_'
const LIFE = 30 * DAY
const SECRET = /^svc_fst_[0-9A-Za-z_-]{43}$/

/** A new secret of a session, which the cookie or the header presents. */
export const newSecret = ({ ids }: Pick<Context, 'ids'>): string => `svc_fst_${ids.token(43)}`

export const hashOf = (secret: string): string => sha256Hex(secret)

/** What a call presents for a session: the header, or the cookie of this session. */
export function secretOf({ headers }: Request, sessionId: string): string | null {
  const given = headers.get(SESSION_HEADER)?.trim() || cookieOf(headers.get('cookie'), `${COOKIE}${sessionId}`)
  return given !== null && SECRET.test(given) ? given : null
}

/** The value of `Set-Cookie` for a session. */
export function sessionCookie(ctx: Context, request: Request, sessionId: string, secret: string): string {
  const secure = isSecure(ctx, request) ? '; Secure' : ''
  return `${COOKIE}${sessionId}=${secret}; Path=/; Max-Age=${LIFE / 1000}; HttpOnly; SameSite=Lax${secure}`
}

/** The value of `Set-Cookie` with which a browser forgets a session. */
export const forgottenCookie = (sessionId: string): string =>
  `${COOKIE}${sessionId}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`

const MOST_COOKIES = 50

/** The sessions that the cookies of a browser present, with their secrets. */
export function presentedCookies({ headers }: Request): Map<string, string> {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const sessions = pairs.filter((pair) => pair.startsWith(COOKIE)).slice(0, MOST_COOKIES)
  return new Map(
    sessions.flatMap((pair) => {
      const at = pair.indexOf('=')
      const secret = pair.slice(at + 1)
      return at > 0 && SECRET.test(secret) ? [[pair.slice(COOKIE.length, at), secret] as const] : []
    }),
  )
}
