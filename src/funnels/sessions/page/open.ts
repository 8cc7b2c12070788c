import type { Context } from '../../../base/context'
import { notFound } from '../../../base/errors'
import { isLocale } from '../../../core/funnel/locale'
import { type Beginning, beginSession, usedQuery, utmOf } from '../begin'
import type { FunnelLimit } from '../limits'
import { type OpenFunnel, openFunnel, visitedProject } from '../open-funnel'
import { type Placed, placedFunnel, rememberVisitor, visitorCookie } from '../placed'
import { withDocument } from '../presented'
import { sessionCookie } from '../secret'
import { passPaidPages } from '../step'
import { referrerHost, type Visitor, visitorOf } from '../visitor'
import { sessionPage } from './draw'
import { visitByCookies } from './visit'

export interface PageAddress {
  project: string
  funnel: string
}

/** The current page of the session that the browser presents; without one, a session starts. */
export async function openPage(
  ctx: Context,
  request: Request,
  { project, funnel: slug }: PageAddress,
  count: (kind: FunnelLimit) => Promise<void>,
): Promise<Response> {
  await count('state')
  const { id: projectId } = await visitedProject(ctx, { project })
  const visit = await visitByCookies(ctx, request, { projectId, slug })
  if (visit) return sessionPage(ctx, await passPaidPages(ctx, visit.presented), { request, secret: visit.secret })
  const arrival = arrivalOf(ctx, request)
  const { open, placed } = await shownAt(ctx, { project, funnel: slug }, arrival, request)
  await count('session')
  const { session, secret } = await beginSession(ctx, open, beginningOf(open, arrival, placed), placed?.way.record)
  const presented = await withDocument(ctx, session)
  if (!presented) throw new Error('a session has begun without its funnel')
  const visitorId = placed?.way.visitorId ?? null
  const cookies = [
    sessionCookie(ctx, request, session.id, secret),
    ...(visitorId === null ? [] : [rememberVisitor(ctx, request, visitorId)]),
  ]
  return sessionPage(ctx, presented, { request, secret, cookies })
}

/** The published funnel at an address, and how a placement has chosen it; 404 where there is none. */
export async function shownAt(
  ctx: Context,
  { project, funnel: slug }: PageAddress,
  arrival: Arrival,
  request: Request,
): Promise<{ open: OpenFunnel; placed: Placed | null }> {
  const placed = slug.startsWith(PLACED) ? await byPlacement(ctx, { project }, slug.slice(1), arrival, request) : null
  return { open: placed ?? (await openFunnel(ctx, { project }, slug)), placed }
}

/** What the address of a placement starts with, where that of a funnel has its slug. */
const PLACED = '@'

async function byPlacement(
  ctx: Context,
  host: { project: string },
  placement: string,
  { id: sessionId, query, country, language, referrer }: Arrival,
  request: Request,
): Promise<Placed> {
  const visitor = visitorCookie(request)
  const asked = { placement, visitor, query, country, language, referrer, sessionId }
  const placed = await placedFunnel(ctx, await visitedProject(ctx, host), asked)
  if (!placed) throw notFound('published funnel', placement)
  return placed
}

interface Arrival extends Visitor {
  id: string
  query: Readonly<Record<string, string>>
  referrer: string | null
}

export const arrivalOf = (ctx: Context, request: Request): Arrival => ({
  ...visitorOf(ctx, request),
  id: ctx.ids.next('fse'),
  query: Object.fromEntries([...new URL(request.url).searchParams].slice(0, MOST_MEMBERS)),
  referrer: referrerHost(request.headers.get('referer')),
})

const MOST_MEMBERS = 50

function beginningOf({ funnel }: OpenFunnel, { query, ...arrival }: Arrival, placed: Placed | null): Beginning {
  const { locale } = query
  return {
    ...arrival,
    locale: locale !== undefined && isLocale(locale) ? locale : null,
    ...{ query: usedQuery(funnel, query), utm: utmOf(query) },
    ...{ visitorId: placed?.way.visitorId ?? null, placement: placed?.way.placement ?? null },
    ...{ experimentId: placed?.way.experimentId ?? null, variantId: placed?.way.variantId ?? null },
  }
}
