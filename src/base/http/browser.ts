import type { Context } from '../context'
import { isDashboardOrigin } from './own-origin'
import { hasUsableHost } from './request'
import { type Surface, WEB_PREFIX } from './surface'

type Headers = Record<string, string | number>
type Configured = Pick<Context, 'config' | 'state'>

/** The paths for visitors, from pages of any site (wire 1.10). */
const PUBLIC = /^\/(public|universal|assets|sdk)\//

/** The paths that the dashboard calls with its cookie. Only its own pages may read their answers (wire 1.10). */
const DASHBOARD = /^\/(dashboard|admin|api\/auth|invitations)(\/|$)/

/** Writes the CORS headers to every answer that a web page may read, so that a script can read errors too. */
export function writeCorsHeaders(ctx: Configured, request: Request, path: string, headers: Headers): void {
  const origin = request.headers.get('origin')
  if (path.startsWith(WEB_PREFIX)) headers['access-control-allow-origin'] = origin ?? '*'
  else if (PUBLIC.test(path)) headers['access-control-allow-origin'] = '*'
  else if (DASHBOARD.test(path)) {
    headers.vary = 'Origin'
    if (!allowsDashboard(ctx, request, origin)) return
    headers['access-control-allow-origin'] = origin
    headers['access-control-allow-credentials'] = 'true'
  } else return
  headers['access-control-expose-headers'] = ctx.state.surface.exposedHeaders
  headers.vary = 'Origin'
}

const allowsDashboard = (ctx: Configured, request: Request, origin: string | null): origin is string =>
  hasUsableHost(request.url) && isDashboardOrigin(ctx, request, origin)

/** Answers an OPTIONS request with 204. Only paths that web pages may call allow an origin (wire 1.10). */
export function answerPreflight({ surface }: Context['state'], path: string, headers: Headers): Response {
  const all = { ...headers, ...allowanceOf(surface, path, headers) }
  return new Response(null, { status: 204, headers: Object.entries(all).map(([name, value]) => [name, String(value)]) })
}

function allowanceOf(surface: Surface, path: string, headers: Headers): Headers {
  if (path.startsWith(WEB_PREFIX)) return allowance('GET, POST, OPTIONS', surface.allowedHeaders(path))
  if (PUBLIC.test(path)) return allowance('GET, POST, OPTIONS', surface.publicHeaders)
  if (!DASHBOARD.test(path) || headers['access-control-allow-origin'] === undefined) return {}
  return allowance('GET, POST, PUT, PATCH, DELETE, OPTIONS', DASHBOARD_HEADERS)
}

const DASHBOARD_HEADERS = 'Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match'

const allowance = (methods: string, headers: string): Headers => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers': headers,
  'access-control-max-age': '86400',
})
