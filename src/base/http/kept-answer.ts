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
   * The body contains a secret that a person has chosen, such as a password. Of the body a plain hash is kept otherwise,
   * from which such a secret can be guessed; with this rule the hash is keyed.
   */
  hidesBody?: boolean
  /** The part of its first answer that the route needs to render a repetition. It is kept in place of the answer. */
  reference?: (answer: unknown) => unknown
}

/** A larger answer is not kept. */
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Answers that are kept in a minute for one public key: 2 KiB for each of the 500 requests that it may make. Without
 * this bound an app's key, which everybody can read, could fill the database with 46 GB a day.
 */
const BYTES_PER_MINUTE = 1024 * 1024

/** The type that Bun sends for an object, so that a replay has the same header. */
const JSON_TYPE = 'application/json;charset=utf-8'

/** Takes the place of the content type of an answer that was not kept; the body is then the reference, or empty. */
const REFERENCE = 'reference'

/** Takes the place of the content type of an answer that was kept encrypted. */
const SEALED = 'sealed'
const SEAL_CONTEXT = 'kept answer'

export const isWhole = ({ contentType }: SavedAnswer): boolean => contentType !== REFERENCE

/** What is saved of the answer of a request that claimed its key. `budget` names who is limited; null = nobody. */
export function toSaved(
  ctx: Context,
  rules: IdempotencyRules,
  budget: string | null,
  status: number,
  response: unknown,
): SavedAnswer {
  const body = bodyText(response)
  if (rules.isSecret) {
    const sealed = ctx.vault?.seal(body, SEAL_CONTEXT)
    return { status, contentType: sealed === undefined ? REFERENCE : SEALED, body: sealed ?? '' }
  }
  if (isKept(ctx, rules, budget, body)) return { status, contentType: body === '' ? null : JSON_TYPE, body }
  const reference = rules.reference?.(response)
  return { status, contentType: REFERENCE, body: reference === undefined ? '' : JSON.stringify(reference) }
}

/** A kept answer in the form in which it was given. 409 when its secret can no longer be read. */
export function openSaved(ctx: Context, { isSecret = false }: IdempotencyRules, saved: SavedAnswer): SavedAnswer {
  if (!isSecret) return saved
  const body = saved.contentType === SEALED ? (ctx.vault?.open(saved.body, SEAL_CONTEXT) ?? null) : null
  if (body !== null) return { status: saved.status, contentType: JSON_TYPE, body }
  const message = 'This was done already, and the secret in its answer is not kept; make another one'
  throw new AppError('CONFLICT', undefined, { message })
}

function isKept(
  ctx: Context,
  { rendersReplay, unkept }: IdempotencyRules,
  budget: string | null,
  body: string,
): boolean {
  if (rendersReplay) return false
  if (unkept === undefined) return true
  const bytes = Buffer.byteLength(body)
  if (bytes > MAX_ANSWER_BYTES) return false
  if (budget === null) return true
  const { rateLimits } = ctx.state
  return rateLimits.hit('kept answers', budget, BYTES_PER_MINUTE, ctx.clock.now(), bytes)?.isExceeded !== true
}

const bodyText = (response: unknown): string =>
  response === undefined || response instanceof Response ? '' : JSON.stringify(response)
