import { ERRORS, type ErrorRow } from './error-codes'

export type ErrorCode = keyof typeof ERRORS

/** Codes with several statuses. Only for these may a throw name the status. */
type SeveralStatuses = 'HTTP_ERROR' | 'PAYMENT_NOT_CONNECTED' | 'STORE_CREDENTIALS_INVALID' | 'REFUND_NOT_POSSIBLE'

type DetailsOf<Code extends ErrorCode> = (typeof ERRORS)[Code] extends {
  details: readonly (infer Key extends string)[]
}
  ? Partial<Record<Key, unknown>>
  : undefined

interface AppErrorOptions<Code extends ErrorCode> {
  cause?: unknown
  /** Set only where the caller must read what to change. */
  message?: string
  status?: Code extends SeveralStatuses ? (typeof ERRORS)[Code]['status'][number] : never
  /** Replaces the seconds of the table. */
  retryAfter?: number
  /** Members of `error` itself, which only this code has (wire 1). */
  members?: Code extends 'ASSISTANT_QUOTA_EXCEEDED' ? Readonly<Record<string, string>> : never
}

/**
 * Why a caller was refused, as the `cause` of a refusal: for the operator, in the log. It names no secret and no
 * person.
 */
export class RefusalReason extends Error {}

/** A refusal with code, status, message and details for the caller. The cause is written only to the log. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly refusal: Code
  readonly status: number
  readonly details: DetailsOf<Code> | undefined
  readonly retryAfter: number | undefined
  readonly members: Readonly<Record<string, string>> | undefined

  constructor(code: Code, details?: DetailsOf<Code>, options: AppErrorOptions<Code> = {}) {
    const row: ErrorRow = ERRORS[code]
    super(options.message ?? row.message, { cause: options.cause })
    this.refusal = code
    this.status = options.status ?? row.status[0] ?? 500
    this.details = details
    this.retryAfter = options.retryAfter ?? row.retryAfter
    this.members = options.members
  }

  /** The `error` member of the failure envelope. */
  toWire(): { code: Code; message: string; details?: object } {
    const { details, members } = this
    return { ...members, code: this.refusal, message: this.message, ...(details && { details }) }
  }
}

/** 400 `VALIDATION_ERROR` whose message says what to change. */
export const invalid = (message: string): AppError => new AppError('VALIDATION_ERROR', undefined, { message })

/**
 * 404 `NOT_FOUND`, as "There is no currency GEMS": the same message for a missing object and for one of another
 * project. `name` is the word of the caller; it is left out where it is a secret, such as the token of a link.
 */
export function notFound(what: string, name: string | null = ''): AppError {
  const word = callersWord(name ?? '') // Null: the part of the path could not be decoded.
  return missing(word === '' ? `There is no such ${what}` : `There is no ${what} ${word}`)
}

/** 404 `NOT_FOUND` with a sentence of its own. */
export const missing = (message: string): AppError => new AppError('NOT_FOUND', undefined, { message })

const LONGEST_WORD = 64

/** A word of the caller as a message may contain it: at most 64 characters, and none that is not visible. */
export function callersWord(word: string): string {
  const visible = word
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  if (visible.length <= LONGEST_WORD) return visible
  return `${visible.slice(0, LONGEST_WORD - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** What does not work without a master key. */
type KeyFeature = 'credential_encryption' | 'dsar_erasure' | 'unsubscribe_signing' | 'listen_secret'

/** The vault, or 503 `FEATURE_NOT_CONFIGURED` on a deployment without a master key. */
export function requireVault<Vault>(
  { vault }: { vault: Vault | null },
  feature: KeyFeature = 'credential_encryption',
  message = 'This deployment has no master key; remove SVC_MASTER_KEY=off',
): Vault {
  if (vault === null) throw new AppError('FEATURE_NOT_CONFIGURED', { feature }, { message })
  return vault
}
