import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { countLimit } from '../../base/http/count-limit'
import { callerAddress, factsOf } from '../../base/http/request'
import { pageAddress, presentedSession, secretOf } from '../sessions/service'
import { confirmPayment } from './confirm'
import { noticeAddress } from './notice'
import { PAY_SCRIPT, PAY_SCRIPT_PATH } from './script'

const PER_MINUTE = 30
const hidden = { detail: { hide: true } } as const

/** The script of payment pages, and where the provider sends a visitor back to after a redirect. */
export const paymentPageRoutes = (ctx: Context) =>
  new Elysia()
    .get(PAY_SCRIPT_PATH, () => new Response(PAY_SCRIPT, { headers: SCRIPT_HEADERS }), hidden)
    .get('/f/-/return', ({ request, set }) => returnFrom(ctx, request, set.headers as Headers), hidden)

type Headers = Record<string, string | number>

const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

/** What the provider adds to the address is ignored: only the confirmation decides. */
async function returnFrom(ctx: Context, request: Request, headers: Headers): Promise<Response> {
  const facts = factsOf(request)
  const address = callerAddress(ctx, request, facts)
  countLimit(ctx, facts, headers, await ctx.state.limits.hit('funnel-returns', address, PER_MINUTE, ctx.clock.now()))
  const query = new URL(request.url).searchParams
  const sessionId = query.get('session') ?? ''
  const presented = await presentedSession(ctx, sessionId, secretOf(request, sessionId))
  const { project, funnel } = presented
  const page = pageAddress(ctx, request, { project: project.slug, funnel: funnel.slug })
  const location = await confirmPayment(ctx, presented, query.get('payment_id') ?? '').then(
    () => page,
    (error: unknown) => (error instanceof AppError ? noticeAddress(page, error) : Promise.reject(error)),
  )
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
