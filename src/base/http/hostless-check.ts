import { pathOf } from './request'

const CHECKED = /^\/health(\/ready)?$/
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Whether a request is a check of this server whose Host is missing or odd, which such a check does not need. HAProxy checks
 * in HTTP/1.0 without one: `GET /health`, or `OPTIONS /` where nothing else was set. Elsewhere a Host is needed.
 */
export function isHostlessCheck(request: Request): boolean {
  // The first comparison is enough for nearly every request.
  if (!mayBeCheck(request) || PLAIN_HOST.test(request.headers.get('host') ?? '')) return false
  const path = pathOf(request.url)
  return CHECKED.test(path) || (request.method === 'OPTIONS' && request.url === '/')
}

const mayBeCheck = ({ method, url }: Request): boolean =>
  url.includes('/health') || (method === 'OPTIONS' && url === '/')

/** The same request with a Host. The router needs a whole address. */
export function withHost(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('host', 'localhost')
  const query = request.url.indexOf('?')
  const search = query === -1 ? '' : request.url.slice(query)
  return new Request(`http://localhost${pathOf(request.url)}${search}`, { method: request.method, headers })
}
