export const WEB_PREFIX = '/v1/web/'

const EXPOSED =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replay, ETag, X-Svc-Experiment'
const ALLOWED_HEADERS =
  'Content-Type, Authorization, Idempotency-Key, If-None-Match, X-Svc-App-User-Id, X-Svc-User-Id, X-Svc-Platform, X-Svc-Env'

/** Whether a path is of the OpenFeature Remote Evaluation Protocol, on either mount. */
export const isOfrepPath = (path: string): boolean => /^\/(v1\/web\/[^/]+\/)?ofrep\//.test(path)

type Headers = Record<string, string | number>

/** A path as it is without a browser's mount. */
export const withoutMount = (path: string): string =>
  path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, isOfrepPath(path) ? '' : '/v1') : path

/** The route of a path that names nothing else than the key of its mount. */
export const routeOf = (path: string): string =>
  path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, '/v1/web/:publicKey') : path

const MOUNT = /^\/v1\/web\/[^/]+/

/** Headers of every answer on the browser surface, so that a script can read errors too. */
export function writeCorsHeaders(request: Request, path: string, headers: Headers): void {
  if (!path.startsWith(WEB_PREFIX)) return
  headers['access-control-allow-origin'] = request.headers.get('origin') ?? '*'
  headers['access-control-expose-headers'] = EXPOSED
  headers.vary = 'Origin'
}

/** 204 for an OPTIONS request; only the browser surface allows an origin (wire 1.10). */
export function answerPreflight(path: string, headers: Headers): Response {
  const isWeb = path.startsWith(WEB_PREFIX)
  const allow = {
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': isOfrepPath(path) ? `${ALLOWED_HEADERS}, X-API-Key` : ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  }
  const all = isWeb ? { ...headers, ...allow } : headers
  return new Response(null, { status: 204, headers: Object.entries(all).map(([name, value]) => [name, String(value)]) })
}
