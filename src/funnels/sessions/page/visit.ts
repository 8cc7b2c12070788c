import type { Context } from '../../../base/context'
import { equalsConstantTime } from '../../../base/lib/hash'
import { type PresentedSession, withDocument } from '../presented'
import { findSession, listSessionsByIds, type SessionRow } from '../queries'
import { forgottenCookie, hashOf, presentedCookies } from '../secret'

/** A session that a browser presents, with its secret. */
export interface Visit {
  presented: PresentedSession
  secret: string
}

/** The newest session of a funnel, or of a placement as `@onboarding`, that the cookies of the browser present. */
export async function visitByCookies(
  ctx: Context,
  request: Request,
  { projectId, slug }: { projectId: string; slug: string },
): Promise<Visit | null> {
  const cookies = presentedCookies(request)
  const rows = (await listSessionsByIds(ctx, [...cookies.keys()]))
    .filter((row) => row.projectId === projectId && isOwn(row.secretHash, cookies.get(row.id)))
    .sort((a, b) => b.startedAt - a.startedAt)
  for (const row of rows) {
    const presented = await presentedAt(ctx, row, slug)
    if (presented) return { presented, secret: cookies.get(row.id) ?? '' }
  }
  return null
}

/** Null for a session of another funnel or placement than that of the address. */
async function presentedAt(ctx: Context, row: SessionRow, slug: string): Promise<PresentedSession | null> {
  const isPlaced = slug.startsWith('@')
  if (isPlaced && row.placement !== slug.slice(1)) return null
  const presented = await withDocument(ctx, row)
  return isPlaced || presented?.funnel.slug === slug ? presented : null
}

/** The session that a form names, of the funnel or placement of the address. `isKept`: the browser has its cookie too. */
export async function visitByForm(
  ctx: Context,
  request: Request,
  form: URLSearchParams,
  { projectId, slug }: { projectId: string; slug: string },
): Promise<(Visit & { isKept: boolean }) | null> {
  const id = form.get('session') ?? ''
  const cookie = presentedCookies(request).get(id)
  const secret = cookie ?? form.get('token') ?? ''
  const row = await findSession(ctx, id)
  const presented =
    row?.projectId === projectId && isOwn(row.secretHash, secret) ? await presentedAt(ctx, row, slug) : null
  return presented && { presented, secret, isKept: cookie !== undefined }
}

const isOwn = (hash: string, secret: string | undefined): boolean =>
  secret !== undefined && equalsConstantTime(hash, hashOf(secret))

/** The form action that starts a new session after the previous visitor has paid. */
export const BEGIN_ANEW = 'anew'

/** The cookies with which a browser forgets its sessions at the address of this one. */
export async function forgottenCookies(
  ctx: Context,
  request: Request,
  { id, projectId, funnelId, placement }: SessionRow,
): Promise<string[]> {
  const rows = await listSessionsByIds(ctx, [...presentedCookies(request).keys()])
  const here = rows.filter(
    (row) =>
      row.projectId === projectId && (row.funnelId === funnelId || (placement !== null && row.placement === placement)),
  )
  return [...new Set([id, ...here.map((row) => row.id)])].map(forgottenCookie)
}
