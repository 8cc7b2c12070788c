import { type Surface, WEB_PREFIX } from './surface'

type Headers = Record<string, string | number>

/** Writes the CORS headers to every answer below the browser mount, so that a script can read errors too. */
export function writeCorsHeaders(surface: Surface, request: Request, path: string, headers: Headers): void {
  if (!path.startsWith(WEB_PREFIX)) return
  headers['access-control-allow-origin'] = request.headers.get('origin') ?? '*'
  headers['access-control-expose-headers'] = surface.exposedHeaders
  headers.vary = 'Origin'
}

/** Answers an OPTIONS request with 204. Only paths below the browser mount allow an origin (wire 1.10). */
export function answerPreflight(surface: Surface, path: string, headers: Headers): Response {
  const all = path.startsWith(WEB_PREFIX) ? { ...headers, ...allowanceOf(surface, path) } : headers
  return new Response(null, { status: 204, headers: Object.entries(all).map(([name, value]) => [name, String(value)]) })
}

const allowanceOf = (surface: Surface, path: string): Headers => ({
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': surface.allowedHeaders(path),
  'access-control-max-age': '86400',
})
