import type { Context } from '../../../base/context'
import { cookieOf, isSecure } from '../../../projects/doors/signed-in'
import { LINK_LIFE } from '../app-mail'
import { findLink, insertLinks } from '../queries-links'
import { hashOf, newSecret } from '../token'
import { useLink } from '../use-link'

const COOKIE = 'svc_buyer'

/** A person who has proved the address that they bought with. */
export interface Buyer {
  projectId: string
  emailHash: string
}

/** Whether the token of a mail still opens the page of the project. */
export async function isLiveToken(ctx: Context, projectId: string, token: string): Promise<boolean> {
  const link = await findLink(ctx, hashOf(token))
  const isOurs = link?.purpose === 'BUYER' && link.projectId === projectId
  return isOurs && link.usedAt === null && link.expiresAt > ctx.clock.now()
}

/** Exchanges the token of a mail for the cookie of a visit; null when it was used, has ended, or is of another project. */
export const exchangeToken = (ctx: Context, projectId: string, token: string): Promise<string | null> =>
  ctx.write(async (tx) => {
    const hash = hashOf(token)
    const found = await findLink(tx, hash)
    if (found?.projectId !== projectId) return null
    const now = tx.clock.now()
    const link = await useLink(tx, { hash, purposes: ['BUYER'], at: now })
    if (!link) return null
    const secret = newSecret()
    const row = { ...link, hash: hashOf(secret), purpose: 'BUYER_COOKIE' as const, mailId: null, usedAt: null }
    await insertLinks(tx, [{ ...row, createdAt: now, expiresAt: now + LINK_LIFE }])
    return secret
  })

/** The buyer of a visit, by its cookie; null when there is none or it has ended. */
export async function buyerOf(ctx: Context, projectId: string, request: Request): Promise<Buyer | null> {
  const secret = cookieOf(request.headers.get('cookie'), COOKIE)
  const row = secret === null ? null : await findLink(ctx, hashOf(secret))
  const isLive = row?.purpose === 'BUYER_COOKIE' && row.projectId === projectId && row.expiresAt > ctx.clock.now()
  return isLive ? { projectId, emailHash: row.emailHash } : null
}

/** The value of `Set-Cookie` for a visit. Other sites do not send it with their forms, and no script reads it. */
export function buyerCookie(ctx: Context, request: Request, path: string, secret: string): string {
  const secure = isSecure(ctx, request) ? '; Secure' : ''
  return `${COOKIE}=${secret}; Path=${path}; Max-Age=${LINK_LIFE / 1000}; HttpOnly; SameSite=Lax${secure}`
}
