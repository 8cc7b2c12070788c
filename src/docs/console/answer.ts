import type { Context } from '../../base/context'
import { matchesEtag } from '../../base/http/etag'
import type { RequestFacts } from '../../base/http/request'
import { lazily } from '../../base/lib/lazily'
import type { SliceState } from '../../base/state'
import { type ConsoleFile, contentOf, listConsole } from './files'

declare module '../../base/state' {
  interface SliceState {
    /** The files of the built console, by name. They are looked for when they are first asked for. */
    consoleFiles: () => ReadonlyMap<string, ConsoleFile>
  }
}

export const consoleState = (): SliceState['consoleFiles'] => lazily(listConsole)

/** The first parts of paths that belong to the API, the guide and the protocols. */
const API =
  /^\/(v1|ofrep|dashboard|admin|api|metrics|public|universal|invitations|unsubscribe|webhooks|health|openapi\.json|openapi-dashboard\.json|docs|sdk|assets|f|billing|mcp|\.well-known)(\/|$)/

/** What browsers and scanners ask for by habit, such as `/favicon.ico` and `/.env`. No screen has a dot there. */
const FILE_NAME = /^\/[^/]*\./

const FILES = '/_console/'

/** Answers GET of a screen with the page, and of `/_console/…` with a file. Undefined for everything else. */
export function answerConsole(ctx: Context, request: Request, facts: RequestFacts): Response | undefined {
  const { method } = request
  const { path } = facts
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (path.startsWith(FILES)) {
    const file = ctx.state.consoleFiles().get(path.slice(FILES.length))
    facts.route = '/_console/:file'
    return file && path !== `${FILES}index.html` ? fileAnswer(request, file, FOR_EVER) : undefined
  }
  if (API.test(path) || FILE_NAME.test(path) || !takesPage(request, path)) return undefined
  const page = ctx.state.consoleFiles().get('index.html')
  // Paths of screens have ids in them, and those of mails secrets.
  facts.route = '/:screen'
  return page && pageAnswer(request, page)
}

/** The first parts of the paths of screens; `/` is one too. */
const SCREEN =
  /^\/($|(p|projects|account|platform|sign-in|sign-up|sign-out|setup|verify-email|reset-password|join|welcome)(\/|$))/

/**
 * A browser names pages in `Accept`, and gets one at any address: the console says there what is wrong with it. A program
 * that takes any type gets the page where a screen is; elsewhere, and when it names none, the envelope of a refusal.
 */
function takesPage({ headers }: Request, path: string): boolean {
  const accepted = headers.get('accept') ?? ''
  return /text\/html/i.test(accepted) || (accepted.includes('*/*') && SCREEN.test(path))
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
  "frame-src 'self'",
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
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    // Weak, because the bytes differ with the encoding.
    etag: `W/${file.etag}`,
  })
  if (matchesEtag(request.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const [body, encoding] = bodyOf(file, request.headers.get('accept-encoding') ?? '')
  if (encoding !== null) headers.set('content-encoding', encoding)
  return new Response(body, { headers })
}

type Bytes = Uint8Array<ArrayBuffer>

function bodyOf({ plain, gzip, brotli }: ConsoleFile, accepted: string): [body: Bytes, encoding: 'br' | 'gzip' | null] {
  if (brotli && takes(accepted, 'br')) return [contentOf(brotli), 'br']
  if (gzip && takes(accepted, 'gzip')) return [contentOf(gzip), 'gzip']
  if (plain) return [contentOf(plain), null]
  return [gzip ? Bun.gunzipSync(contentOf(gzip)) : new Uint8Array(), null]
}

/** Whether `Accept-Encoding` names an encoding, and not with `q=0`. */
const takes = (accepted: string, name: string): boolean =>
  accepted.split(',').some((part) => {
    const [encoding = '', weight = ''] = part.split(';').map((word) => word.trim().toLowerCase())
    return encoding === name && !/^q=0(\.0*)?$/.test(weight)
  })
