import type { Context } from '../context'
import { AppError } from '../errors'
import type { SavedAnswer } from './idempotency'

/** How a route answers a request that repeats an Idempotency-Key. */
export interface IdempotencyRules {
  /** When the first request does not end in time, a repetition runs by itself instead of failing. */
  mayRunBeside?: boolean
  /** The route answers every repetition itself, with the current state. Its answers are not kept. */
  rendersReplay?: boolean
  /** The route decides whether the caller may have the kept answer, and gives it with `Replayed`. */
  checksReplay?: boolean
  /**
   * What a repetition does when the first answer was not kept (wire 1.5). `RENDER`: the route answers with the current
   * state and writes nothing. `RUN`: the route runs again, because it only reads. Absent for a route whose answers are
   * small: all of them are kept.
   */
  unkept?: 'RENDER' | 'RUN'
  /**
   * The answer contains a secret that is stored nowhere else. It is kept encrypted with the master key; without one it
   * is not kept, and a repetition is refused.
   */
  isSecret?: boolean
  /**
   * The body contains a secret that a person has chosen, such as a password. Of the body a plain hash is kept
   * otherwise, from which such a secret can be guessed; with this rule the hash is keyed.
   */
  hidesBody?: boolean
  /** The part of its first answer that the route needs to render a repetition. It is kept in place of the answer. */
  reference?: (answer: unknown) => unknown
}

/** A larger answer is not kept. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Whose kept answers are bounded together. */
export interface AnswerBudget {
  who: string
  /**
   * `KEY`: a public key. Only the answers of routes with a rule `unkept` are bounded; those of the others are small.
   * `USER`: a person. Every answer is bounded, and a repetition of one that was not kept is refused.
   */
  of: 'KEY' | 'USER'
}

/**
 * Answers that are kept in a minute. A public key: 2 KiB for each of the 500 requests that it may make. Without this
 * bound an app's key, which everybody can read, could fill the database with 46 GB a day. A person: less than 400 MB in
 * the day for which an answer is kept.
 */
const BYTES_PER_MINUTE = { KEY: 1024 * 1024, USER: 256 * 1024 }

/** The type that Bun sends for an object, so that a replay has the same header. */
const JSON_TYPE = 'application/json;charset=utf-8'

/** Takes the place of the content type of an answer that was not kept; the body is then the reference, or empty. */
const REFERENCE = 'reference'

/** Takes the place of the content type of an answer that was kept encrypted. */
const SEALED = 'sealed'
const SEAL_CONTEXT = 'kept answer'

export const isWhole = ({ contentType }: SavedAnswer): boolean => contentType !== REFERENCE

/** The saved part of the answer of a request that claimed its key. `budget` null = its caller is not bounded. */
export function toSaved(
  ctx: Context,
  rules: IdempotencyRules,
  budget: AnswerBudget | null,
  status: number,
  response: unknown,
): SavedAnswer {
  const body = bodyText(response)
  if (rules.isSecret) {
    const sealed = hasRoom(ctx, budget, body) ? ctx.vault?.seal(body, SEAL_CONTEXT) : undefined
    return { status, contentType: sealed === undefined ? REFERENCE : SEALED, body: sealed ?? '' }
  }
  if (isKept(ctx, rules, budget, body)) return { status, contentType: body === '' ? null : JSON_TYPE, body }
  const reference = rules.reference?.(response)
  return { status, contentType: REFERENCE, body: reference === undefined ? '' : JSON.stringify(reference) }
}

/** A kept answer in the form in which it was given. 409 when it was not kept, or when its secret cannot be read. */
export function openSaved(ctx: Context, rules: IdempotencyRules, saved: SavedAnswer): SavedAnswer {
  if (!rules.isSecret) {
    if (isWhole(saved) || rendersItself(rules)) return saved
    throw new AppError('CONFLICT', undefined, { message: NOT_KEPT })
  }
  const body = saved.contentType === SEALED ? (ctx.vault?.open(saved.body, SEAL_CONTEXT) ?? null) : null
  if (body !== null) return { status: saved.status, contentType: JSON_TYPE, body }
  throw new AppError('CONFLICT', undefined, {
    message: `${NOT_KEPT} A secret in it is not shown again: make another one`,
  })
}

const NOT_KEPT =
  'A request with this Idempotency-Key was carried out, and its answer was not kept. Do not repeat it: read what it changed.'

const rendersItself = ({ rendersReplay, checksReplay, unkept }: IdempotencyRules): boolean =>
  rendersReplay === true || checksReplay === true || unkept !== undefined

function isKept(ctx: Context, rules: IdempotencyRules, budget: AnswerBudget | null, body: string): boolean {
  if (rules.rendersReplay) return false
  if (rules.unkept === undefined) return budget?.of !== 'USER' || hasRoom(ctx, budget, body)
  return hasRoom(ctx, budget, body)
}

/** Whether an answer of this size is kept for the caller. Counts it if so. */
function hasRoom(ctx: Context, budget: AnswerBudget | null, body: string): boolean {
  const bytes = Buffer.byteLength(body)
  if (bytes > MAX_ANSWER_BYTES) return false
  if (budget === null) return true
  const { who, of } = budget
  const { rateLimits } = ctx.state
  return rateLimits.hit('kept answers', who, BYTES_PER_MINUTE[of], ctx.clock.now(), bytes)?.isExceeded !== true
}

const bodyText = (response: unknown): string =>
  response === undefined || response instanceof Response ? '' : JSON.stringify(response)
