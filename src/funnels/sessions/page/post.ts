import type { Context } from '../../../base/context'
import { AppError, invalid } from '../../../base/errors'
import { isForeignForm } from '../../../base/http/own-origin'
import { formAnswers } from '../../../core/funnel/form'
import { actionOfValue } from '../../../core/funnel/step'
import { currentPage } from '../current-page'
import { visitedProject } from '../open-funnel'
import { cookiesByConsent } from '../placed'
import type { PresentedSession } from '../presented'
import { stepSession, unlessElsewhere } from '../step'
import { sessionPage } from './draw'
import { arrivalOf, type PageAddress, shownAt } from './open'
import { BEGIN_ANEW, forgottenCookies, visitByForm } from './visit'

const MAX_FORM_BYTES = 256 * 1024

/**
 * Takes the step of a form that was sent, and leads on to the page by its address. What is wrong is shown at its field. A
 * form of another page than the current one changes nothing. Without a session of this funnel the visitor starts again.
 */
export async function postPage(ctx: Context, request: Request, address: PageAddress): Promise<Response> {
  if (isForeignForm(ctx, request)) throw new AppError('FORBIDDEN')
  const form = await readForm(ctx, request)
  const { id: projectId } = await visitedProject(ctx, { project: address.project })
  const visit = await visitByForm(ctx, request, form, { projectId, slug: address.funnel })
  const here = new URL(request.url).pathname
  if (!visit) {
    await shownAt(ctx, address, arrivalOf(ctx, request), request)
    return seeOther(here)
  }
  const { presented, secret, isKept } = visit
  const draw = (session: PresentedSession['session'], more: object = {}) =>
    sessionPage(ctx, { ...presented, session }, { request, secret, ...more })
  // A browser that keeps no cookie would start again at the address.
  const leadOn = (session: PresentedSession['session'], cookies: readonly string[] = []) =>
    isKept ? seeOther(here, cookies) : draw(session, { cookies })
  if (form.get('action') === BEGIN_ANEW && presented.session.paidAt !== null)
    return seeOther(here, await forgottenCookies(ctx, request, presented.session))
  const page = currentPage(presented.document, presented.session)
  if (form.get('page') !== page.id) return leadOn(presented.session)
  for (const post of ctx.hooks.funnelPagePosts ?? []) {
    const handled = await post(ctx, { ...presented, page, form, request })
    if (handled) return seeOther(handled.location)
  }
  const given = formAnswers(page, form)
  const step = { pageId: page.id, action: actionOfValue(form.get('action') ?? 'next'), given }
  const stepped = await stepSession(ctx, presented, step).catch(unlessElsewhere)
  if (!stepped) return leadOn(presented.session)
  if (stepped.kind === 'refused')
    return draw(stepped.session, { given, faults: stepped.faults, status: statusOf(request) })
  const { session, answers } = stepped
  return leadOn(session, cookiesByConsent(ctx, request, { ...presented, session }, answers))
}

/** Browsers tell of a refusal of a script as of an error, which it is not. */
const statusOf = ({ headers }: Request): number => (headers.has('x-svc-step') ? 200 : 422)

const seeOther = (location: string, cookies: readonly string[] = []): Response =>
  new Response(null, {
    status: 303,
    headers: [
      ['location', location],
      ['cache-control', 'no-store'],
      ...cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
    ],
  })

async function readForm(ctx: Context, request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw invalid('Send the form of the page, as application/x-www-form-urlencoded')
  const arriving = ctx.state.bodies.expect(request, MAX_FORM_BYTES)
  try {
    return new URLSearchParams(new TextDecoder().decode(await arriving.read()).replaceAll('%00', ''))
  } finally {
    arriving.end()
  }
}
