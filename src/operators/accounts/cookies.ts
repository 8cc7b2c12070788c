import type { Context } from '../../base/context'
import { cookieName, cookieOf, isSecure } from '../../projects/doors/signed-in'

/** The request of a person at the dashboard, and the headers of its answer. */
export interface Visit {
  request: Request
  headers: Record<string, string | number>
}

export type CookieName = 'svc_session' | 'svc_challenge'

/** Null when the request has no such cookie. */
export const readCookie = (ctx: Context, request: Request, name: CookieName): string | null =>
  cookieOf(request.headers.get('cookie'), cookieName(ctx, request, name))

/** Sets the given cookies and removes those that are null. */
export function writeCookies(
  ctx: Context,
  { request, headers }: Visit,
  cookies: { readonly [Name in CookieName]?: { value: string; lifeMs: number } | null },
): void {
  const secure = isSecure(ctx, request) ? '; Secure' : ''
  const lines = Object.entries(cookies).map(([name, cookie]) => {
    const maxAge = Math.floor((cookie?.lifeMs ?? 0) / 1000)
    const named = `${cookieName(ctx, request, name)}=${cookie?.value ?? ''}`
    return `${named}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
  })
  // Elysia sends one header for each item of a list. The shared type of headers does not know lists.
  Object.assign(headers, { 'set-cookie': lines })
}

/** The visit of a handler. Elysia types its headers more narrowly than the rest of the code. */
export const visitOf = (request: Request, { headers }: { headers: object }): Visit => ({
  request,
  headers: headers as Visit['headers'],
})
