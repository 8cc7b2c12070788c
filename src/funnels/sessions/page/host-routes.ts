import { Elysia } from 'elysia'
import type { Context } from '../../../base/context'
import { notFound } from '../../../base/errors'
import { type DomainRow, domainOfRequest } from '../../domains/service'
import { findFunnelName } from '../../publication/service'
import { pageAddress } from '../open-funnel'
import { orNotice } from './notice'
import { blockRoutes, countPage, openPageAt, type PageCall, postPageAt, scriptRoutes, withoutSlash } from './routes'

const hidden = { detail: { hide: true } } as const
const form = { ...hidden, parse: 'none' } as const

/** The pages of funnels on a custom domain: that of the root, and every other by its slug. */
export const hostPageRoutes = (ctx: Context) =>
  new Elysia()
    .use(scriptRoutes())
    .use(blockRoutes(ctx))
    .get('/', (call) => root(ctx, call, openPageAt), hidden)
    .post('/', (call) => root(ctx, call, postPageAt), form)
    .get('/:funnel', (call) => funnel(ctx, call, openPageAt), hidden)
    .post('/:funnel', (call) => funnel(ctx, call, postPageAt), form)
    .get('/:funnel/', (call) => funnel(ctx, call, openPageAt), hidden)
    .post('/:funnel/', (call) => funnel(ctx, call, postPageAt), form)
    .get('/f/:project/:funnel', (call) => leadOn(ctx, call), hidden)

type HostCall = Omit<PageCall, 'params'>
type Handler = (ctx: Context, call: PageCall) => Promise<Response>

/** The root funnel of the name, or the address that it leads to; 404 where it has neither. */
const root = (ctx: Context, call: HostCall, handle: Handler): Promise<Response> =>
  orNotice(ctx, call.request, async () => {
    const domain = await requireDomain(ctx, call.request)
    if (domain.redirectTo !== null) {
      await countPage(ctx, call, 'state')
      return leadsTo(inAscii(domain.redirectTo), 302)
    }
    const { projectId, rootFunnelId } = domain
    const found = rootFunnelId === null ? null : await findFunnelName(ctx, projectId, rootFunnelId)
    if (!found) throw notFound('published funnel', '')
    return handle(ctx, { ...call, params: await addressOf(ctx, domain, found.slug) })
  })

const funnel = async (
  ctx: Context,
  call: HostCall & { params: { funnel: string } },
  handle: Handler,
): Promise<Response> =>
  withoutSlash(call.request) ??
  orNotice(ctx, call.request, async () => {
    const domain = await requireDomain(ctx, call.request)
    return handle(ctx, { ...call, params: await addressOf(ctx, domain, call.params.funnel) })
  })

/** The address that a funnel has on the server leads on to its address here. */
const leadOn = (ctx: Context, call: PageCall): Promise<Response> =>
  orNotice(ctx, call.request, async () => {
    const own = await addressOf(ctx, await requireDomain(ctx, call.request), call.params.funnel)
    if (own.project !== call.params.project) throw notFound('project', call.params.project)
    return leadsTo(pageAddress(ctx, call.request, own) + new URL(call.request.url).search, 308)
  })

/** The row is read for each call: a name that is not verified any more shows nothing. */
async function requireDomain(ctx: Context, request: Request): Promise<DomainRow> {
  const domain = await domainOfRequest(ctx, request)
  if (!domain) throw notFound('domain', new URL(request.url).hostname)
  return domain
}

async function addressOf(ctx: Context, { projectId, hostname }: DomainRow, slug: string) {
  const project = await ctx.state.projects.find(projectId)
  if (!project) throw notFound('domain', hostname)
  return { project: project.slug, funnel: slug }
}

/** A header takes no other letters. */
const inAscii = (address: string): string => URL.parse(address)?.href ?? address

const leadsTo = (location: string, status: 302 | 308): Response =>
  new Response(null, { status, headers: { location, 'cache-control': 'no-store' } })
