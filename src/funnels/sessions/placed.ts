import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import type { Answers } from '../../core/funnel/conditions-hold'
import { hasConsented } from '../../core/funnel/way'
import { cookieOf, isSecure } from '../../projects/doors/signed-in'
import type { ProjectState } from '../../projects/project/state'
import type { PlacedFunnel, PlacedVisitor } from './hooks'
import { type OpenFunnel, publishedFunnel } from './open-funnel'
import type { PresentedSession } from './presented'

export interface Placed extends OpenFunnel {
  way: PlacedFunnel
}

/** The published funnel that a placement shows to a visitor; null where it shows none. */
export async function placedFunnel(
  ctx: Context,
  project: ProjectState,
  visitor: PlacedVisitor,
): Promise<Placed | null> {
  const [find] = ctx.hooks.placedFunnel ?? []
  const way = (await find?.(ctx, project, visitor)) ?? null
  const funnel = way && (await publishedFunnel(ctx, project, way.slug))
  return way && funnel ? { project, funnel, way } : null
}

const COOKIE = 'svc_vid'
/** How long a visitor is remembered: 13 months. */
export const VISITOR_LIFE_MS = 396 * DAY
/** The id of a subscriber is never that of a visitor: anybody may name a visitor. */
const VISITOR = /^(?!sub_)[A-Za-z0-9_-]{8,64}$/

export const isVisitorId = (text: string): boolean => VISITOR.test(text)

/** The visitor that the cookie of a browser names. */
export function visitorCookie({ headers }: Request): string | null {
  const value = cookieOf(headers.get('cookie'), COOKIE)
  return value !== null && isVisitorId(value) ? value : null
}

export const rememberVisitor = (ctx: Context, request: Request, visitorId: string): string =>
  `${COOKIE}=${visitorId}; Path=/; Max-Age=${VISITOR_LIFE_MS / 1000}; HttpOnly; SameSite=Lax${isSecure(ctx, request) ? '; Secure' : ''}`

/**
 * The cookies after a step of a visitor who is remembered only after consent. Until then the variant is drawn by the
 * session, so its id becomes the id of the visitor, who keeps the variant. Without the consent the cookie is deleted.
 */
export function cookiesByConsent(
  ctx: Context,
  request: Request,
  { session, document }: PresentedSession,
  answers: Answers,
): string[] {
  const isAsked = document.settings.requireConsent === true
  if (!isAsked || session.placement === null || session.visitorId !== null) return []
  const remembered = visitorCookie(request)
  if (hasConsented(document.pages, session.path, answers))
    return remembered === null ? [rememberVisitor(ctx, request, session.id)] : []
  return remembered === session.id ? [`${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`] : []
}
