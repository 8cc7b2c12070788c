import { hasOneHost, pathOf } from '../../base/http/request'
import { hostnameOf } from '../../base/lib/hostname'

/** What the answers on the port for http depend on. */
export interface PlainHttp {
  /** The text that proves a name to the certificate authority; null when there is no account. */
  proofOf: (token: string) => string | null
  /** Whether this server answers https for the host. */
  isServed: (host: string) => boolean
  httpsPort: number
}

export const CHALLENGE_PATH = '/.well-known/acme-challenge/'

/** base64url (RFC 8555, 8.3), and nothing that a browser could take for a page. */
const TOKEN = /^[\w-]{16,128}$/

/** Calls to these carry keys, so they are never redirected: the key has gone over the wire already. */
const API = /^\/(v1|webhooks|dashboard|public|api|admin|ofrep)(\/|$)/

/** The answer to a request that came without https. */
export function answerPlain(request: Request, parts: PlainHttp): Response {
  const path = pathOf(request.url)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && path.startsWith(CHALLENGE_PATH)) return answerChallenge(path.slice(CHALLENGE_PATH.length), parts)
  if (!isRead || API.test(path)) return refuse(403, 'FORBIDDEN', 'Use https')
  return redirect(request, parts) ?? refuse(404, 'NOT_FOUND', 'Nothing is served for this host')
}

function answerChallenge(token: string, { proofOf }: PlainHttp): Response {
  const proof = TOKEN.test(token) ? proofOf(token) : null
  if (proof === null) return refuse(404, 'NOT_FOUND', 'There is no such challenge')
  return new Response(proof, { headers: { ...HEADERS, 'content-type': 'text/plain' } })
}

function redirect(request: Request, { isServed, httpsPort }: PlainHttp): Response | null {
  const url = hasOneHost(request) ? URL.parse(request.url) : null
  const host = url === null ? null : hostnameOf(url.hostname)
  if (url === null || host === null || !isServed(host)) return null
  const authority = `${url.hostname}${httpsPort === 443 ? '' : `:${httpsPort}`}`
  const location = `https://${authority}${url.pathname}${url.search}`
  return new Response(null, { status: 308, headers: { ...HEADERS, location } })
}

const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

const refuse = (status: number, code: 'FORBIDDEN' | 'NOT_FOUND', message: string): Response =>
  Response.json({ error: { code, message } }, { status, headers: HEADERS })
