import { Elysia } from 'elysia'
import type { Context } from '../../../base/context'
import { notFound } from '../../../base/errors'
import { factsOf } from '../../../base/http/request'
import { findHtmlBlock, htmlBlockAnswer } from '../../publication/html-blocks'
import { findFunnelName } from '../../publication/service'
import { countFunnelCall, type FunnelLimit } from '../limits'
import { animationRoutes } from './animation'
import { BLOCK_PATH } from './draw'
import { orNotice } from './notice'
import { openPage, type PageAddress } from './open'
import { postPage } from './post'
import { PAGE_SCRIPT, SCRIPT_PATH } from './script'

const hidden = { detail: { hide: true } } as const

/** The pages of a funnel as browsers get them (funnels 9). They work without script. */
export const funnelPageRoutes = (ctx: Context) =>
  new Elysia()
    .use(scriptRoutes())
    .use(blockRoutes(ctx))
    .get('/f/:project/:funnel', (call) => opened(ctx, call), hidden)
    .post('/f/:project/:funnel', (call) => posted(ctx, call), { ...hidden, parse: 'none' })
    // The server of the executable takes these in place of the two above, so both do the same.
    .get('/f/:project/:funnel/', (call) => opened(ctx, call), hidden)
    .post('/f/:project/:funnel/', (call) => posted(ctx, call), { ...hidden, parse: 'none' })

/** The scripts of pages. */
export const scriptRoutes = () =>
  new Elysia()
    .use(animationRoutes())
    .get(SCRIPT_PATH, () => new Response(PAGE_SCRIPT, { headers: SCRIPT_HEADERS }), hidden)

/** The `html` blocks of versions; on a custom domain those of its project. */
export const blockRoutes = (ctx: Context) =>
  new Elysia().get(`${BLOCK_PATH}/:hash`, (call) => htmlBlock(ctx, call), hidden)

interface BlockCall {
  request: Request
  params: { hash: string }
  set: { headers: unknown }
}

/** An `html` block of a version of a funnel. */
const htmlBlock = (ctx: Context, { request, params, set }: BlockCall): Promise<Response> =>
  orNotice(ctx, request, async () => {
    await countPage(ctx, { request, set }, 'state')
    const query = new URL(request.url).searchParams
    const [funnelId, versionNo] = [query.get('funnel') ?? '', Number(query.get('version'))]
    const isShown = Number.isSafeInteger(versionNo) && (await isShownHere(ctx, request, funnelId))
    const document = isShown ? await ctx.state.funnelDocuments.get(ctx, funnelId, versionNo) : null
    const source = document && findHtmlBlock(document, params.hash)
    if (source == null) throw notFound('block', params.hash)
    return htmlBlockAnswer(source)
  })

/** A custom domain shows nothing of other projects. */
async function isShownHere(ctx: Context, { url }: Request, funnelId: string): Promise<boolean> {
  const host = ctx.state.customHosts.at(url)
  return host === null || (await findFunnelName(ctx, host.projectId, funnelId)) !== null
}

export interface PageCall {
  request: Request
  params: PageAddress
  set: { headers: unknown }
}

const opened = (ctx: Context, call: PageCall): Response | Promise<Response> =>
  withoutSlash(call.request) ?? orNotice(ctx, call.request, () => openPageAt(ctx, call))

const posted = (ctx: Context, call: PageCall): Response | Promise<Response> =>
  withoutSlash(call.request) ?? orNotice(ctx, call.request, () => postPageAt(ctx, call))

/** The page of a funnel or a placement. Throws a refusal. */
export const openPageAt = (ctx: Context, { request, params, set }: PageCall): Promise<Response> =>
  openPage(ctx, request, params, (kind) => countPage(ctx, { request, set }, kind))

/** What a visitor sends from a page. Throws a refusal. */
export async function postPageAt(ctx: Context, { request, params, set }: PageCall): Promise<Response> {
  await countPage(ctx, { request, set }, 'advance')
  return postPage(ctx, request, params)
}

/** Leads on from an address that ends with a slash; null for any other. */
export function withoutSlash({ url }: Request): Response | null {
  const { pathname, search } = new URL(url)
  if (!pathname.endsWith('/')) return null
  return new Response(null, { status: 308, headers: { location: pathname.slice(0, -1) + search } })
}

const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

type Headers = Record<string, string | number>

/** Counts one call of a client address to a page. */
export const countPage = (
  ctx: Context,
  { request, set }: Pick<PageCall, 'request' | 'set'>,
  kind: FunnelLimit,
): Promise<void> => countFunnelCall(ctx, kind, { request, headers: set.headers as Headers, facts: factsOf(request) })
