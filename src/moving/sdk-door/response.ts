import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { errorHandler } from '../../base/http/error'
import type { Answer } from '../../base/http/pipeline'
import type { ArrivedCall, SdkAnswer } from './admitted'
import type { SdkCall } from './calls'
import { etagOf, KeptInfo } from './kept-info'
import type { SdkCaller } from './model'
import { SdkRefusal } from './refusal'

/** How such a call is named in metrics and in the log. */
export const sdkRouteOf = ({ name }: SdkCall): string => `sdk ${name}`

const REQUEST_TIME = 'x-revenuecat-request-time'
const ETAG = 'x-revenuecat-etag'

export function toResponse(
  ctx: Context,
  { request, set }: ArrivedCall,
  { platform }: SdkCaller,
  answer: SdkAnswer,
): Response {
  const { status = 200, body } = answer
  const now = ctx.clock.now()
  const headers = readable(request, taken(set))
  headers[REQUEST_TIME] = String(now)
  const text = () => (body instanceof KeptInfo ? body.textAt(now) : JSON.stringify(body))
  if (platform === 'web') return new Response(text(), { status, headers })
  const etag = body instanceof KeptInfo ? body.etag : etagOf(body)
  headers[ETAG] = etag
  // Without a stored answer the header is empty, and a 304 could not be read.
  if (status === 200 && request.headers.get(ETAG) === etag) return new Response(null, { status: 304, headers })
  return new Response(text(), { status, headers })
}

/**
 * The body of a refusal has an integer code at its top level. A 5xx body also has our own envelope,
 * for people who read a trace.
 */
export async function toRefused(
  ctx: Context,
  arrived: ArrivedCall,
  refusal: SdkRefusal,
  thrown: unknown,
): Promise<Response> {
  const { call, request, facts, set } = arrived
  const failure = { code: 'UNKNOWN', error: toOwn(refusal, thrown), request, route: sdkRouteOf(call), set }
  const own = await errorHandler(ctx)(failure)
  const headers = readable(request, lowerCased({ ...taken(set), ...facts.headers }))
  if (refusal.retryAfter !== undefined) headers['retry-after'] = String(refusal.retryAfter)
  if (refusal.status < 500) headers['is-retryable'] = String(refusal.status === 429)
  const body = { code: refusal.code, message: refusal.message, ...refusal.extra, ...(refusal.status >= 500 ? own : {}) }
  return new Response(JSON.stringify(body), { status: refusal.status, headers })
}

/** The refusal for the log and for the counts of refusals. */
function toOwn({ status, message, retryAfter }: SdkRefusal, thrown: unknown): unknown {
  if (thrown instanceof AppError && thrown.status >= 500 === status >= 500) return thrown
  if (!(thrown instanceof SdkRefusal) && !(thrown instanceof AppError)) return thrown
  if (status >= 500)
    return new AppError('STORE_UNAVAILABLE', undefined, { message, ...(retryAfter !== undefined && { retryAfter }) })
  if (status === 401) return new AppError('INVALID_API_KEY')
  if (status === 403) return new AppError('FORBIDDEN', undefined, { message })
  return new AppError('VALIDATION_ERROR', undefined, { message })
}

type AnswerHeaders = Record<string, string | number>

/** The headers so far. Otherwise Elysia would add them to the answer a second time. */
function taken(set: Answer): AnswerHeaders {
  const { headers } = set
  set.headers = {}
  return headers
}

/** With all names in lower case, so that none is there twice. The handler of errors writes some otherwise. */
const lowerCased = (headers: AnswerHeaders): AnswerHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Adds the headers with which a page of any site may read the answer. */
function readable({ headers: given }: Request, headers: AnswerHeaders): Record<string, string> {
  headers['content-type'] = 'application/json'
  const origin = given.get('origin')
  if (origin !== null) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-expose-headers'] = EXPOSED
    headers.vary = 'Origin'
  }
  // `Response` accepts numbers as header values too, but its type does not allow them.
  return headers as Record<string, string>
}

const EXPOSED = 'X-RevenueCat-Request-Time, X-RevenueCat-ETag, Retry-After, X-Request-ID'
