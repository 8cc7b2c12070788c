import { reasonOf } from '../base/cli/reason'
import { isUnavailable } from '../base/db/errors'
import type { ErrorCode } from '../base/errors'

/** The code of a failed backup or restore: whether the database or the file is at fault. */
export const codeOf = (error: unknown): ErrorCode => (isUnavailable(error) ? 'DATABASE_UNAVAILABLE' : 'HTTP_ERROR')

/** Why a backup could not be written or read, in one sentence. */
export const failureOf = (error: unknown, signal: AbortSignal): string =>
  signal.aborted ? 'the command was interrupted' : reasonOf(error)
