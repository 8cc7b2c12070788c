import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { beginSession, usedQuery, utmOf } from './begin'
import { currentPage } from './current-page'
import { visitors } from './limits'
import { funnelOfCall, type OpenFunnel } from './open-funnel'
import { isVisitorId, type Placed, placedFunnel } from './placed'
import { sessionCookie } from './secret'
import { wantedLocale } from './shown-funnel'
import { referrerHost, type Visitor, visitorOf } from './visitor'
import { BeginBody, BeginQuery, BegunAnswer, SlugParams } from './wire'

export const beginRoutes = (ctx: Context) =>
  visitors(ctx, 'session').post(
    '/public/funnels/:slug/sessions',
    async ({ params, query, body, request, set }) => {
      const open = await funnelOfCall(ctx, request, query, params.slug)
      const { language, country, device } = visitorOf(ctx, request)
      const id = ctx.ids.next('fse')
      const members = query as Record<string, string>
      const way = await wayOf(ctx, open, body, { id, language, country, members })
      const named = Object.entries(body.utm ?? {}).map(([name, value]) => [`utm_${name}`, value] as const)
      const { session, secret } = await beginSession(
        ctx,
        open,
        {
          ...{ id, locale: wantedLocale(body.locale), language, country, device },
          query: usedQuery(open.funnel, members),
          utm: utmOf({ ...members, ...Object.fromEntries(named) }),
          referrer: referrerHost(body.referrer),
          ...{ visitorId: way?.visitorId ?? null, placement: body.placement ?? null },
          ...{ experimentId: way?.experimentId ?? null, variantId: way?.variantId ?? null },
        },
        way?.record,
      )
      set.status = 201
      set.headers['set-cookie'] = sessionCookie(ctx, request, session.id, secret)
      const first = currentPage(open.funnel, session)
      return { data: { session_id: session.id, first_page_id: first.id, session_token: secret } }
    },
    {
      params: SlugParams,
      query: BeginQuery,
      body: BeginBody,
      response: { 201: BegunAnswer },
      detail: {
        tags: ['Funnel visitors'],
        'x-errors': ['NOT_FOUND'],
        summary: 'Begin a session',
        description:
          'The session stays on the version that is published now. Members of the address that the funnel names in settings.queryParameters can stand in its texts. With a placement the session is bound to the variant that the visitor was drawn, and the exposure is written.',
        'x-example-request': { utm: { source: 'newsletter' }, locale: 'en' },
        operationId: 'beginFunnelSession',
      },
    },
  )

interface Arrival extends Pick<Visitor, 'language' | 'country'> {
  id: string
  members: Readonly<Record<string, string>>
}

const HOST = new Set(['project', 'hostname'])

/** How the visitor has come; null for one who came by no placement. 400 for another funnel or variant than was drawn. */
async function wayOf(
  ctx: Context,
  { project, funnel }: OpenFunnel,
  { placement, visitor: named, variantId, referrer }: Static<typeof BeginBody>,
  { id: sessionId, language, country, members }: Arrival,
): Promise<Placed['way'] | null> {
  const visitor = named ?? null
  if (visitor !== null && !isVisitorId(visitor))
    throw invalid('visitor must be the id that the placement told: 8 to 64 letters, digits, underscores or dashes')
  if (placement === undefined) {
    if (variantId === undefined) return null
    throw invalid('variantId: say by which placement the visitor came too')
  }
  const query = Object.fromEntries(Object.entries(members).filter(([name]) => !HOST.has(name)))
  const asked = { placement, visitor, query, country, language, referrer: referrerHost(referrer), sessionId }
  const placed = await placedFunnel(ctx, project, asked)
  if (placed?.funnel.id !== funnel.id)
    throw invalid(`placement: ${placement} does not show ${funnel.slug} to this visitor`)
  if (variantId !== undefined && variantId !== placed.way.variantId)
    throw invalid('variantId must be the variant that was drawn for this visitor')
  return placed.way
}
