import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { linkBase } from '../../base/http/own-origin'
import { appFileRoutes } from './app-links/routes'
import { buyerPath } from './app-mail'
import { buyerRoutes } from './buyer/routes'
import { countVisit } from './public-routes'
import { OPEN_PATH } from './service'

const hidden = { detail: { hide: true } } as const

interface Call {
  request: Request
  set: { headers: Record<string, string | number> }
}

/** On custom domains: the files that phones read, the buyer's page, and the link into the app, which this server has. */
export const claimHostRoutes = (ctx: Context) =>
  new Elysia()
    .use(appFileRoutes(ctx))
    .use(buyerRoutes(ctx))
    .get('/manage', (call) => leadOn(ctx, call, ({ projectSlug: slug }) => buyerPath({ slug })), hidden)
    .get(`${OPEN_PATH}/:token`, (call) => leadOn(ctx, call, () => linkBase(ctx) + new URL(call.request.url).pathname), {
      ...hidden,
    })

/** Leads on to where a page is. */
async function leadOn(ctx: Context, call: Call, to: (host: { projectSlug: string }) => string): Promise<Response> {
  const { request } = call
  await countVisit(ctx, call)
  const host = ctx.state.customHosts.at(request.url)
  if (!host) throw notFound('domain', new URL(request.url).hostname)
  const { search } = new URL(request.url)
  const headers = { location: to(host) + search, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status: 302, headers })
}
