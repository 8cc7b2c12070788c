import type { Context } from '../context'
import { toAppError } from '../db/errors'
import { AppError, callersWord, invalid, missing, RefusalReason } from '../errors'
import { faultsText } from '../lib/faults'
import { describeError, describeStack } from '../lib/log'
import { OwnRequest } from '../lib/own-request'
import { callerAddress, findFacts, pathOf, traceIdOf } from './request'

interface Failure {
  code: string | number
  error: unknown
  request: Request
  /** Template of the matched route. The path itself is not logged, because it can contain a person's id. */
  route?: string | undefined
  set: { status?: number | string | undefined; headers: Record<string, string | number> }
}

declare module '../state' {
  interface SliceHooks {
    /** The body of a refusal in another protocol; null for a path that does not belong to that protocol. */
    refusalBodies: (path: string, refusal: AppError) => object | null
    /** Counts a refused request towards a limit. Throws the refusal that takes the place of the first one. */
    countedRefusals: (ctx: Context, request: Request, headers: Failure['set']['headers'], refusal: AppError) => void
    /** The refusal that the slice's own routes answer in place of another one; null where there is none. */
    translatedRefusals: (ctx: Context, request: Request, refusal: AppError) => AppError | null
  }
}

/** The methods that the routes of an application have at a path. */
type MethodsOf = (path: string) => readonly string[]

/** Turns everything that is thrown into the error envelope. No other code does this. */
export function errorHandler(ctx: Context, methodsOf: MethodsOf = () => []) {
  return async ({ code, error, request, route, set }: Failure): Promise<object> => {
    const known =
      code === 'NOT_FOUND' && !(error instanceof AppError) ? noRoute(request, methodsOf) : asRefusal(code, error)
    if (request instanceof OwnRequest) return refuseOwn(request, known, error, set)
    const refusal = countRefusal(ctx, request, set.headers, translate(ctx, request, known))
    findFacts(request)?.undo?.()
    const released = releaseClaim(ctx, request)
    // After a database failure, do not wait for the database again: the answer must be sent within 8 s (wire 3.2).
    if (known.refusal !== 'DATABASE_UNAVAILABLE') await released
    logRefusal(ctx, { request, route }, error, refusal)
    set.status = refusal.status
    set.headers['cache-control'] = 'no-store'
    set.headers['x-content-type-options'] = 'nosniff'
    delete set.headers.etag
    delete set.headers['idempotent-replay'] // A refusal is never a saved answer.
    // The rest of a body that came too late must not hold the connection.
    if (refusal.status === 408) set.headers.connection = 'close'
    if (refusal.retryAfter !== undefined) set.headers['retry-after'] = String(refusal.retryAfter)
    return ownBody(ctx, pathOf(request.url), refusal) ?? { error: refusal.toWire() }
  }
}

/** A command gets the error itself, with its cause. */
function refuseOwn(own: OwnRequest, known: AppError, thrown: unknown, set: Failure['set']): object {
  own.failure = known.refusal === 'INTERNAL_ERROR' ? thrown : known
  set.status = known.status
  return { error: known.toWire() }
}

function translate(ctx: Context, request: Request, refusal: AppError): AppError {
  for (const translated of ctx.hooks.translatedRefusals ?? []) {
    const own = translated(ctx, request, refusal)
    if (own) return own
  }
  return refusal
}

/** The refusal that is answered: the first one, or the limit that it exceeds. */
function countRefusal(ctx: Context, request: Request, headers: Failure['set']['headers'], refusal: AppError): AppError {
  try {
    for (const count of ctx.hooks.countedRefusals ?? []) count(ctx, request, headers, refusal)
    return refusal
  } catch (limit) {
    if (limit instanceof AppError) return limit
    throw limit
  }
}

function ownBody({ hooks }: Context, path: string, refusal: AppError): object | null {
  for (const write of hooks.refusalBodies ?? []) {
    const body = write(path, refusal)
    if (body) return body
  }
  return null
}

/** Releases the claim of an Idempotency-Key when its request gave no answer to save. */
export async function releaseClaim(ctx: Context, request: Request): Promise<void> {
  try {
    await findFacts(request)?.release?.()
  } catch (error) {
    // The claim expires by itself. The caller must see the first error, not this one.
    ctx.log.warn('an idempotency claim could not be released', { error: describeError(error) })
  }
}

/** A wrong method is 404 too, so that every missing route has the same answer; its sentence names the right methods. */
function noRoute({ method, url }: Request, methodsOf: MethodsOf): AppError {
  const path = pathOf(url)
  const others = methodsOf(path)
  if (others.length === 0) return missing(`There is no route ${callersWord(method)} ${callersWord(path)}`)
  return missing(`${callersWord(method)} is not a method of ${callersWord(path)}; it has ${others.join(', ')}`)
}

function asRefusal(code: string | number, thrown: unknown): AppError {
  const error = toAppError(innermost(thrown))
  if (error instanceof AppError) return error
  if (code === 'VALIDATION') return fromValidation(thrown)
  if (code === 'PARSE') return invalid('The body could not be read')
  if (code === 'INVALID_COOKIE_SIGNATURE') return invalid('A cookie is damaged')
  return new AppError('INTERNAL_ERROR', undefined, { cause: thrown })
}

/** Elysia wraps an error of a parser. This returns the original error inside. */
function innermost(thrown: unknown): unknown {
  const cause = thrown instanceof Error ? thrown.cause : undefined
  return !(thrown instanceof AppError) && cause instanceof AppError ? cause : thrown
}

interface ValidationFailure {
  type?: string
  all?: Fault[]
}

interface Fault {
  path?: string
  message?: string
  summary?: string
  schema?: Described
}

/** The members of a JSON schema that say which values it accepts. */
interface Described {
  title?: string
  format?: string
  anyOf?: Described[]
  const?: unknown
  pattern?: string
  maxLength?: number
  type?: string
}

/** The validator ends its list here, so that a large body does not cost a large list. */
const LONGEST_LIST = 64

function fromValidation(thrown: unknown): AppError {
  const { type = 'request', all = [] } = thrown as ValidationFailure
  if (type === 'response') return new AppError('INTERNAL_ERROR', undefined, { cause: thrown })
  const isComplete = all.length < LONGEST_LIST
  return invalid(faultsText(sentencesOf(type, all), { isComplete }) || `The ${type} is not valid`)
}

/** One sentence for each place that is wrong. The validator reports a missing or empty value once for each rule. */
function sentencesOf(type: string, all: readonly Fault[]): string[] {
  const sentences = new Map<string, string>()
  for (const fault of all) {
    const place = placeOf(type, fault)
    if (!sentences.has(place)) sentences.set(place, choiceOf(fault.schema) ?? fault.message ?? fault.summary ?? '')
  }
  return [...sentences].map(([place, sentence]) => `${place}: ${sentence}`)
}

/** The place of a fault. A number of the query is validated alone, without a path, so its title gives the name. */
const placeOf = (type: string, { path = '', schema }: Fault): string =>
  type === 'property' && schema?.title ? `query/${schema.title}` : `${type}${path}`

/** The values that a union accepts; null for any other schema, because the validator's own message is enough there. */
function choiceOf(schema: Described | undefined): string | null {
  if (!schema?.anyOf) return null
  const choices = alternativesOf(schema)
  const others = choices.slice(0, -1).join(', ')
  return `Expected ${others === '' ? '' : `${others} or `}${choices.at(-1)}`
}

function alternativesOf(schema: Described): string[] {
  const { anyOf, const: only, type = 'another form', format, pattern, maxLength } = schema
  if (anyOf) return anyOf.flatMap(alternativesOf)
  if (format === 'integer') return [] // The text form of a number: the number itself is listed as well.
  if (only !== undefined) return [String(only)]
  if (pattern !== undefined) return [`${type} matching ${pattern}`]
  return [maxLength === undefined ? type : `${type} of at most ${maxLength} characters`]
}

type Refused = Pick<Failure, 'request' | 'route'>

/** Faults of ours, and callers who were not let in, are in the log under the id of their request (wire 1.4). */
function logRefusal(ctx: Context, refused: Refused, error: unknown, refusal: AppError): void {
  const { refusal: code, status } = refusal
  const kind = status >= 500 ? 'failed' : 'refused'
  if (kind === 'refused' && status !== 401 && status !== 403) return
  const address = addressOf(ctx, refused.request)
  if (code !== 'INTERNAL_ERROR' && !ctx.state.refusalLog.admit(kind, address, code)) return
  const fields = describeRequest(refused, code)
  if (kind === 'refused') ctx.log.info('request refused', { ...fields, ...reasonOf(refusal) })
  else {
    const stack = code === 'INTERNAL_ERROR' ? describeStack(error) : undefined
    ctx.log.error('request failed', { ...fields, error: describeFailure(error), stack })
  }
}

const reasonOf = ({ cause }: AppError) => (cause instanceof RefusalReason ? { reason: cause.message } : {})

/** Empty for a request that came past the first hook. */
function addressOf(ctx: Context, request: Request): string {
  const facts = findFacts(request)
  return facts ? callerAddress(ctx, request, facts) : ''
}

function describeRequest({ request, route }: Refused, code: string) {
  const facts = findFacts(request)
  return {
    code,
    requestId: facts?.id,
    traceId: traceIdOf(request),
    method: request.method,
    route,
    projectId: facts?.projectId,
  }
}

/** An error for the log. Of a failed validation it names only the places, because the values are the subscriber's. */
function describeFailure(error: unknown): string {
  const { type, all } = (error ?? {}) as ValidationFailure
  if (type === undefined || all === undefined) return describeError(error)
  return `the ${type} does not fit its schema at ${all.map(({ path }) => path || '/').join(', ')}`
}
