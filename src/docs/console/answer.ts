import type { Context } from '../../base/context'
import type { RequestFacts } from '../../base/http/request'
import { type ConsoleFile, readConsole } from './files'

declare module '../../base/state' {
  interface SliceState {
    /** The files of the built console, by name. */
    consoleFiles: ReadonlyMap<string, ConsoleFile>
  }
}

export const consoleState = (): ReadonlyMap<string, ConsoleFile> => readConsole()

/** The first parts of paths that belong to the API, the guide and the protocols; everything else is a screen. */
const API =
  /^\/(v1|ofrep|dashboard|admin|api|metrics|public|universal|invitations|unsubscribe|webhooks|health|openapi\.json|openapi-dashboard\.json|docs|assets|f|billing|\.well-known)(\/|$)/

const FILES = '/_console/'

/** Answers GET of a screen with the page, and of `/_console/…` with a file. Undefined for everything else. */
export function answerConsole(ctx: Context, request: Request, { path }: RequestFacts): Response | undefined {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (path.startsWith(FILES)) {
    const file = ctx.state.consoleFiles.get(path.slice(FILES.length))
    return file && path !== `${FILES}index.html` ? fileAnswer(request, file, FOR_EVER) : undefined
  }
  if (API.test(path)) return undefined
  const page = ctx.state.consoleFiles.get('index.html')
  return page && pageAnswer(request, page)
}

const FOR_EVER = 'public, max-age=31536000, immutable'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function pageAnswer(request: Request, page: ConsoleFile): Response {
  const answer = fileAnswer(request, page, 'no-cache')
  answer.headers.set('content-security-policy', POLICY)
  answer.headers.set('referrer-policy', 'same-origin')
  answer.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=()')
  answer.headers.set('cross-origin-opener-policy', 'same-origin')
  return answer
}

function fileAnswer(request: Request, file: ConsoleFile, cache: string): Response {
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': cache,
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...(file.etag !== '' && { etag: file.etag }),
  })
  if (file.etag !== '' && request.headers.get('if-none-match') === file.etag)
    return new Response(null, { status: 304, headers })
  const [body, encoding] = bodyOf(file, request.headers.get('accept-encoding') ?? '')
  if (encoding !== null) headers.set('content-encoding', encoding)
  return new Response(body, { headers })
}

type Bytes = Uint8Array<ArrayBuffer>

function bodyOf({ plain, gzip, brotli }: ConsoleFile, accepted: string): [body: Bytes, encoding: 'br' | 'gzip' | null] {
  const takes = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(accepted)
  if (brotli && takes('br')) return [brotli, 'br']
  if (gzip && takes('gzip')) return [gzip, 'gzip']
  return [plain ?? Bun.gunzipSync(gzip ?? new Uint8Array()), null]
}
