import { Elysia } from 'elysia'
import { catalogRoutes } from './catalog/routes'
import type { Context } from './context'
import { currencyRoutes } from './currencies/routes'
import { entitlementRoutes } from './entitlements/routes'
import { countLimit, Replayed } from './http/api'
import { refuseDeclaredSize } from './http/body'
import { answerPreflight, writeCorsHeaders } from './http/browser'
import { docsRoutes } from './http/docs'
import { errorHandler } from './http/error'
import { NotModified } from './http/etag'
import { healthRoutes } from './http/health'
import { clientIp, findFacts, pathOf, rememberRequest, requestIdOf } from './http/request'
import { monotonicMs } from './lib/clock'
import { receiptRoutes } from './purchases/routes'
import { subscriberRoutes } from './subscribers/routes'

/** The whole HTTP surface over a context. Nothing listens yet; tests call `handle`. */
export function createApp(ctx: Context) {
  const onFailure = errorHandler(ctx)
  return new Elysia({
    normalize: false,
    strictPath: true,
    serve: { maxRequestBodySize: SOCKET_CEILING, idleTimeout: 30 },
  })
    .onError({ as: 'global' }, (failure) => {
      if (failure.error instanceof Replayed) return replay(failure.error, failure.set)
      if (failure.error instanceof NotModified) return bare(304, failure.set)
      return onFailure(failure)
    })
    .onRequest(({ request, set, server }) => {
      const path = pathOf(request.url)
      const id = requestIdOf(request, () => ctx.ids.next('req'))
      const ip = clientIp(
        server?.requestIP(request)?.address ?? 'local',
        request.headers.get('x-forwarded-for'),
        ctx.config.trustedProxies,
      )
      const facts = {
        id,
        path,
        ip,
        startedAt: monotonicMs(),
        limits: [],
        projectId: null,
        keyId: null,
        rawBody: new Uint8Array(),
        save: null,
        release: null,
      }
      rememberRequest(request, facts)
      set.headers['x-request-id'] = id
      set.headers['cache-control'] = 'no-store'
      writeCorsHeaders(request, path, set.headers)
      if (request.method !== 'GET') refuseDeclaredSize(request.headers)
      if (request.method === 'OPTIONS') return answerPreflight(path, set.headers)
      if (isHealth(path)) return
      countLimit(ctx, facts, set.headers, ctx.limits.hit('ip', ip, ctx.config.ratePerIp, ctx.clock.now()))
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set }) => {
      const facts = findFacts(request)
      if (!facts) return
      const seconds = (monotonicMs() - facts.startedAt) / 1000
      ctx.metrics.requests.observe(
        { method: request.method, route: route || 'unknown', status: String(set.status ?? 200) },
        seconds,
      )
      ctx.log.debug('request', {
        requestId: facts.id,
        method: request.method,
        route,
        status: Number(set.status ?? 200),
        ms: Math.round(seconds * 1000),
        projectId: facts.projectId,
      })
    })
    .use(healthRoutes(ctx))
    .use(docsRoutes(ctx))
    .use(new Elysia({ prefix: '/v1' }).use(v1(ctx)))
    .use(new Elysia({ prefix: '/v1/web/:publicKey' }).use(v1(ctx)))
}

/** Above our own ceiling of 1 MiB, whose refusal carries the envelope; Bun's own is a bare 413. */
const SOCKET_CEILING = 64 * 1024 * 1024

const isHealth = (path: string): boolean => path === '/health' || path.startsWith('/health/')

/** The `/v1` router, built once for each of its two mounts. */
const v1 = (ctx: Context) =>
  new Elysia()
    .use(subscriberRoutes(ctx))
    .use(entitlementRoutes(ctx))
    .use(receiptRoutes(ctx))
    .use(catalogRoutes(ctx))
    .use(currencyRoutes(ctx))

interface Answer {
  status?: number | string | undefined
  headers: Record<string, string | number>
}

function replay({ answer: { status, contentType, body } }: Replayed, set: Answer): Response {
  if (body === '') return bare(status, set)
  if (contentType) set.headers['content-type'] = contentType
  return new Response(body, { status, headers: toHeaders(set) })
}

/** An answer without a body; the status is set twice because metrics read it from `set`. */
function bare(status: number, set: Answer): Response {
  set.status = status
  return new Response(null, { status, headers: toHeaders(set) })
}

const toHeaders = ({ headers }: Answer): [string, string][] =>
  Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
