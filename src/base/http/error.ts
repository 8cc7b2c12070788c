import type { Context } from '../context'
import { toAppError } from '../db/errors'
import { AppError, invalid, notFound } from '../errors'
import { describeError, describeStack } from '../lib/log'
import { findFacts, pathOf, traceIdOf } from './request'

interface Failure {
  code: string | number
  error: unknown
  request: Request
  /** Template of the matched route; the path itself can name a person. */
  route?: string | undefined
  set: { status?: number | string | undefined; headers: Record<string, string | number> }
}

declare module '../state' {
  interface SliceHooks {
    /** How a surface with a protocol of its own writes a refusal; null where it is not of that surface. */
    refusalBodies: (path: string, refusal: AppError) => object | null
  }
}

/** The one place where anything thrown becomes the failure envelope. */
export function errorHandler(ctx: Context) {
  return async ({ code, error, request, route, set }: Failure): Promise<object> => {
    const refusal = asRefusal(code, error)
    const released = releaseClaim(ctx, request)
    // A database that has failed is not waited for a second time: the answer must leave within 8 s (wire 3.2).
    if (refusal.refusal !== 'DATABASE_UNAVAILABLE') await released
    if (refusal.status >= 500) logFault(ctx, { request, route }, error, refusal)
    set.status = refusal.status
    set.headers['cache-control'] = 'no-store'
    delete set.headers.etag
    if (refusal.retryAfter !== undefined) set.headers['retry-after'] = String(refusal.retryAfter)
    return ownBody(ctx, pathOf(request.url), refusal) ?? { error: refusal.toWire() }
  }
}

function ownBody({ hooks }: Context, path: string, refusal: AppError): object | null {
  for (const write of hooks.refusalBodies ?? []) {
    const body = write(path, refusal)
    if (body) return body
  }
  return null
}

/** Frees the claim of an Idempotency-Key whose request gave nothing to save. */
export async function releaseClaim(ctx: Context, request: Request): Promise<void> {
  try {
    await findFacts(request)?.release?.()
  } catch (error) {
    // The claim lapses by itself; the first error is the one that the caller must see.
    ctx.log.warn('an idempotency claim could not be released', { error: describeError(error) })
  }
}

function asRefusal(code: string | number, thrown: unknown): AppError {
  const error = toAppError(innermost(thrown))
  if (error instanceof AppError) return error
  if (code === 'NOT_FOUND') return notFound()
  if (code === 'VALIDATION') return fromValidation(thrown)
  if (code === 'PARSE') return invalid('The body could not be read')
  if (code === 'INVALID_COOKIE_SIGNATURE') return invalid('A cookie is damaged')
  return new AppError('INTERNAL_ERROR', undefined, { cause: thrown })
}

/** Elysia wraps what a parser throws; the refusal inside is the one that counts. */
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

/** The members of a JSON schema that say what it takes. */
interface Described {
  title?: string
  format?: string
  anyOf?: Described[]
  const?: unknown
  pattern?: string
  maxLength?: number
  type?: string
}

const MAX_FAULTS = 10

function fromValidation(thrown: unknown): AppError {
  const { type = 'request', all = [] } = thrown as ValidationFailure
  if (type === 'response') return new AppError('INTERNAL_ERROR', undefined, { cause: thrown })
  const sentences = all
    .slice(0, MAX_FAULTS)
    .map((fault) => `${placeOf(type, fault)}: ${choiceOf(fault.schema) ?? fault.message ?? fault.summary}`)
  return invalid([...new Set(sentences)].join('; ') || `The ${type} is not valid`)
}

/** A number of the query is read on its own, and knows its place by its title alone. */
const placeOf = (type: string, { path = '', schema }: Fault): string =>
  type === 'property' && schema?.title ? `query/${schema.title}` : `${type}${path}`

/** What a union takes; null for any other schema, of which the validator says enough. */
function choiceOf(schema: Described | undefined): string | null {
  if (!schema?.anyOf) return null
  const choices = alternativesOf(schema)
  const others = choices.slice(0, -1).join(', ')
  return `Expected ${others === '' ? '' : `${others} or `}${choices.at(-1)}`
}

function alternativesOf(schema: Described): string[] {
  const { anyOf, const: only, type = 'another form', format, pattern, maxLength } = schema
  if (anyOf) return anyOf.flatMap(alternativesOf)
  if (format === 'integer') return [] // The text of one, which stands beside it.
  if (only !== undefined) return [String(only)]
  if (pattern !== undefined) return [`${type} matching ${pattern}`]
  return [maxLength === undefined ? type : `${type} of at most ${maxLength} characters`]
}

function logFault(
  ctx: Context,
  { request, route }: Pick<Failure, 'request' | 'route'>,
  error: unknown,
  refusal: AppError,
): void {
  const facts = findFacts(request)
  ctx.log.error('request failed', {
    code: refusal.refusal,
    requestId: facts?.id,
    traceId: traceIdOf(request),
    method: request.method,
    route,
    projectId: facts?.projectId,
    error: describeFailure(error),
    stack: refusal.refusal === 'INTERNAL_ERROR' ? describeStack(error) : undefined,
  })
}

/** Of what a schema refuses only the places are named: the values are the subscriber's. */
function describeFailure(error: unknown): string {
  const { type, all } = (error ?? {}) as ValidationFailure
  if (type === undefined || all === undefined) return describeError(error)
  return `the ${type} does not fit its schema at ${all.map(({ path }) => path || '/').join(', ')}`
}
