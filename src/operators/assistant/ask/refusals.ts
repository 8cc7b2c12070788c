import { CommandFailure } from '../../../base/cli/command'
import { ERRORS } from '../../../base/error-codes'
import { AppError, type ErrorCode } from '../../../base/errors'

/** A refusal of the assistant with what can be done about it; every other error as it is. */
export function inSentence(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code } = error.toWire()
  const details = error.members ?? error.details
  const sentence = sentenceOf(code, details)
  return sentence === null ? error : new CommandFailure(code, sentence, details === undefined ? {} : { details })
}

/** The failure in an `error` event of the stream. */
export function failureIn(data: { code: string; message: string }): CommandFailure {
  const { code: told, message, ...details } = data
  const code: ErrorCode = Object.hasOwn(ERRORS, told) ? (told as ErrorCode) : 'HTTP_ERROR'
  const more = Object.keys(details).length > 0 ? { details } : {}
  return new CommandFailure(code, sentenceOf(code, details) ?? message, more)
}

function sentenceOf(code: string, details: object | undefined): string | null {
  if (code === 'ASSISTANT_NOT_CONFIGURED')
    return 'This project has no model. An owner sets one in the console under Settings, Assistant; the operator of the server with SVC_ASSISTANT_PROVIDER.'
  if (code !== 'ASSISTANT_QUOTA_EXCEEDED') return null
  const { exceeded, resetAt } = (details ?? {}) as { exceeded?: unknown; resetAt?: unknown }
  const what = typeof exceeded === 'string' ? ` (${exceeded})` : ''
  const until = typeof resetAt === 'string' ? `; it answers again from ${resetAt}` : ''
  return `The assistant has used what the plan includes this month${what}${until}.`
}
