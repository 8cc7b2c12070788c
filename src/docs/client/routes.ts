import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { matchesEtag } from '../../base/http/etag'
import type { ServedFile } from './files'

const hidden = { detail: { hide: true } }
const FOR_EVER = 'public, max-age=31536000, immutable'
const SHORTLY = 'public, max-age=300'

/** The client for pages: `/sdk/svc.js` and `/sdk/svc.iife.js`, and all its files at an address of this build. */
export function clientRoutes(ctx: Context) {
  const latest = (name: string, request: Request): Response => {
    const client = ctx.state.servedClient()
    const file = client?.latest.get(name)
    if (!client || !file) throw notFound('file of the client', name)
    return answer(request, file, { 'cache-control': SHORTLY, 'content-location': `/sdk/${client.name}/${name}` })
  }
  return new Elysia()
    .get('/sdk/svc.js', ({ request }) => latest('svc.js', request), hidden)
    .get('/sdk/svc.iife.js', ({ request }) => latest('svc.iife.js', request), hidden)
    .get(
      '/sdk/:build/:name',
      ({ params: { build, name }, request }) => {
        const client = ctx.state.servedClient()
        const file = build === client?.name ? client.pinned.get(name) : undefined
        if (!file) throw notFound('file of the client', `${build}/${name}`)
        return answer(request, file, { 'cache-control': FOR_EVER })
      },
      hidden,
    )
}

function answer(request: Request, { plain, packed, etag }: ServedFile, own: Record<string, string>): Response {
  const isPacked = /\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(request.headers.get('accept-encoding') ?? '')
  const headers = {
    ...own,
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    etag: `W/${etag}`,
    ...(isPacked && { 'content-encoding': 'gzip' }),
  }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(isPacked ? packed : plain, { headers })
}
