import { AppError } from '../../base/errors'
import type { Context } from '../../create-context'
import type { KeyState, ProjectState } from '../project/state'

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

/** The three checks after the key check: mount's kind, key in the path, origin (wire 1.7, 1.10). */
export async function checkBrowserCall(ctx: Context, request: Request, path: string, key: KeyState): Promise<void> {
  const refusal = mountRefusal(path, key)
  if (refusal) throw refusal
  const allowed = key.allowedOrigins ?? (await ctx.projects.get(key.projectId)).allowedOrigins
  const origin = request.headers.get('origin')
  if (!isAllowedOrigin(origin, allowed)) throw new AppError('ORIGIN_NOT_ALLOWED', { origin })
}

/** Whether `checkBrowserCall` would let a call pass. */
export const passesBrowserCall = (request: Request, path: string, key: KeyState, project: ProjectState): boolean =>
  mountRefusal(path, key) === null &&
  isAllowedOrigin(request.headers.get('origin'), key.allowedOrigins ?? project.allowedOrigins)

function mountRefusal(path: string, { presented, publicKey }: KeyState): AppError | null {
  if (presented !== 'public') return new AppError('API_KEY_KIND_MISMATCH', { required: 'public' })
  if (path.slice(WEB_PREFIX.length).split('/', 1)[0] === publicKey) return null
  return new AppError('FORBIDDEN', undefined, { message: 'The key in the path and the Bearer key differ' })
}

const isAllowedOrigin = (origin: string | null, allowed: readonly string[]): boolean =>
  origin !== null && allowed.includes(origin)
