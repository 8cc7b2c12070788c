import { Elysia } from 'elysia'
import { invalid } from './base/errors'
import { refuseDeclaredSize } from './base/http/body'
import { errorHandler, releaseClaim } from './base/http/error'
import { NotModified } from './base/http/etag'
import { healthRoutes } from './base/http/health'
import {
  clientIp,
  findFacts,
  hasUsableHost,
  pathOf,
  type RequestFacts,
  rememberRequest,
  requestIdOf,
  traceIdOf,
} from './base/http/request'
import { monotonicMs } from './base/lib/clock'
import { checkoutRoutes } from './commerce/checkout/routes'
import type { Context } from './create-context'
import { docsRoutes } from './docs/api/routes'
import { androidNotificationRoutes } from './intake/android/notification-routes'
import { androidReceiptRoutes } from './intake/android/receipt-routes'
import { notificationRoutes } from './intake/ios/notification-routes'
import { offerRoutes } from './intake/ios/offer-routes'
import { receiptRoutes } from './intake/ios/receipt-routes'
import { paymentEventRoutes } from './intake/payment/notification-routes'
import { restoreRoutes } from './intake/restore/routes'
import { currencyRoutes } from './people/currencies/routes'
import { explainRoutes } from './people/entitlements/explain-routes'
import { jwksRoutes } from './people/entitlements/jwks-routes'
import { leaseRoutes } from './people/entitlements/lease-routes'
import { entitlementRoutes } from './people/entitlements/routes'
import { feedRoutes } from './people/events/routes'
import { subscriberRoutes } from './people/identity/routes'
import { transferRoutes } from './people/identity/transfer-routes'
import { countLimit, Replayed } from './projects/doors/api'
import { answerPreflight, routeOf, writeCorsHeaders } from './projects/doors/browser'
import { answerReady } from './projects/doors/response-cache'
import { experimentRoutes } from './targeting/experiments/routes'
import { catalogRoutes } from './targeting/offerings/routes'
import { placementRoutes } from './targeting/placements/routes'
import { ofrepFailure } from './targeting/remote-config/ofrep/refusal'
import { ofrepRoutes } from './targeting/remote-config/ofrep/routes'
import { remoteConfigRoutes } from './targeting/remote-config/routes'
import { streamRoutes } from './targeting/remote-config/stream/routes'

/** The whole HTTP surface over a context. Nothing listens yet; tests call `handle`. */
export function createApp(ctx: Context) {
  const onFailure = errorHandler(ctx, ofrepFailure)
  return (
    new Elysia({
      normalize: false,
      strictPath: true,
      // Else a path is searched behind the first letters of the host, and a short name (`http://svc/`) shifts it.
      handler: { standardHostname: false },
      serve: {
        maxRequestBodySize: Number.MAX_SAFE_INTEGER, // Our own ceiling refuses with the envelope; Bun's is a bare 413.
        idleTimeout: 30,
        development: false, // Else Bun shows its own error page.
        reusePort: false, // Else a second server takes the port of the first one, and half of its requests.
      },
    })
      // Only what is named: handing the whole context on makes Elysia parse cookies and queries of every request.
      .onError({ as: 'global' }, ({ code, error, request, route, set }) => {
        if (error instanceof Replayed) return replay(error, set)
        if (error instanceof NotModified) return releaseClaim(ctx, request).then(() => bare(304, set))
        return onFailure({ code, error, request, route, set })
      })
      // Elysia makes every route asynchronous when this reads like a call that is returned at once.
      .onRequest(({ request, set, server }) => {
        const early = openRequest(ctx, request, set, server)
        if (early !== undefined) return early
      })
      .onAfterResponse({ as: 'global' }, ({ request, route, set }) =>
        recordAnswer(ctx, request, findFacts(request), route, set.status ?? 200),
      )
      .use(healthRoutes(ctx))
      .use(docsRoutes(ctx))
      .use(notificationRoutes(ctx))
      .use(androidNotificationRoutes(ctx))
      .use(paymentEventRoutes(ctx))
      .use(jwksRoutes(ctx))
      .use(new Elysia({ prefix: '/v1' }).use(v1(ctx)))
      .use(ofrepRoutes(ctx))
      .use(new Elysia({ prefix: '/v1/web/:publicKey' }).use(v1(ctx)).use(ofrepRoutes(ctx)))
  )
}

/** Steps 1 to 5 of wire 1.9: what every request passes, whether it has a route or not. */
function openRequest(ctx: Context, request: Request, set: Answer, server: Sockets | null): Response | undefined {
  const facts = newFacts(ctx, request)
  let early: Response | undefined
  try {
    early = admit(ctx, request, facts, set, server)
  } finally {
    // Whoever is answered here asks for nothing more; a refusal is thrown.
    if (early === undefined) rememberRequest(request, facts)
  }
  return early
}

interface Sockets {
  requestIP(request: Request): { address: string } | null
}

function admit(
  ctx: Context,
  request: Request,
  facts: RequestFacts,
  set: Answer,
  server: Sockets | null,
): Response | undefined {
  const { path } = facts
  set.headers['x-request-id'] = facts.id
  set.headers['cache-control'] = 'no-store'
  writeCorsHeaders(request, path, set.headers)
  if (!hasUsableHost(request.url)) throw invalid('The Host header is not valid')
  refuseDeclaredSize(request.headers)
  if (request.method === 'OPTIONS') return answerPreflight(path, set.headers)
  if (ctx.config.ratePerIp > 0 && !isUnlimited(path)) limitAddress(ctx, request, facts, set, server)
  const ready = answerReady(ctx, request, facts, set)
  if (ready) recordAnswer(ctx, request, facts, routeOf(path), ready.status)
  return ready
}

const NO_BODY = new Uint8Array()

function limitAddress(ctx: Context, request: Request, facts: RequestFacts, set: Answer, server: Sockets | null): void {
  const socketIp = server?.requestIP(request)?.address ?? 'local'
  const ip = clientIp(socketIp, request.headers.get('x-forwarded-for'), ctx.config.trustedProxies)
  countLimit(ctx, facts, set.headers, ctx.limits.hit('ip', ip, ctx.config.ratePerIp, ctx.clock.now()))
}

const newFacts = (ctx: Context, request: Request): RequestFacts => ({
  id: requestIdOf(request, () => ctx.ids.next('req')),
  path: pathOf(request.url),
  startedAt: monotonicMs(),
  limits: [],
  projectId: null,
  keyId: null,
  rawBody: NO_BODY,
  save: null,
  release: null,
})

/** One observation and one debug line for every answer, whatever it was. */
function recordAnswer(
  ctx: Context,
  request: Request,
  facts: RequestFacts | undefined,
  route: string,
  status: number | string,
): void {
  if (!facts) return
  const seconds = (monotonicMs() - facts.startedAt) / 1000
  ctx.metrics.requests.observe(request.method, route || 'unknown', status, seconds)
  if (!ctx.log.isDebug) return
  ctx.log.debug('request', {
    requestId: facts.id,
    traceId: traceIdOf(request),
    method: request.method,
    route,
    status: Number(status),
    ms: Math.round(seconds * 1000),
    projectId: facts.projectId,
  })
}

/** Health is never limited, and a store's notifications have a limit of their own: for refused ones (wire 6). */
const isUnlimited = (path: string): boolean =>
  path === '/health' || path.startsWith('/health/') || path.startsWith('/webhooks/')

/** The `/v1` router, built once for each of its two mounts. */
const v1 = (ctx: Context) =>
  new Elysia()
    .use(subscriberRoutes(ctx))
    .use(entitlementRoutes(ctx))
    .use(receiptRoutes(ctx))
    .use(androidReceiptRoutes(ctx))
    .use(restoreRoutes(ctx))
    .use(transferRoutes(ctx))
    .use(offerRoutes(ctx))
    .use(explainRoutes(ctx))
    .use(leaseRoutes(ctx))
    .use(feedRoutes(ctx))
    .use(catalogRoutes(ctx))
    .use(currencyRoutes(ctx))
    .use(checkoutRoutes(ctx))
    .use(remoteConfigRoutes(ctx))
    .use(experimentRoutes(ctx))
    .use(streamRoutes(ctx))
    .use(placementRoutes(ctx))

interface Answer {
  status?: number | string | undefined
  headers: Record<string, string | number>
}

function replay({ answer: { status, contentType, body } }: Replayed, set: Answer): Response {
  if (body === '') return bare(status, set)
  set.status = status
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
