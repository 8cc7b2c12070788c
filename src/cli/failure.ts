import { type Command, CommandFailure, UsageError } from '../base/cli/command'
import { reasonOf } from '../base/cli/reason'
import { ConfigError } from '../base/config'
import { toAppError } from '../base/db/errors'
import { MigrationError } from '../base/db/migrate'
import { AppError, type ErrorCode } from '../base/errors'
import { suggest } from '../base/lib/suggest'

/** How a command failed: its exit code, what people read, and the `error` member of the failure envelope. */
export interface Failure {
  exitCode: 1 | 2
  lines: readonly string[]
  refusal: { code: ErrorCode; message: string; details?: object }
}

export function unknownCommand(name: string, known: readonly string[]): Failure {
  const similar = suggest(name, known)
  const hint = similar === null ? '' : `; did you mean ${similar}?`
  return wrongUsage(`There is no command "${name}"${hint} (see: svc --help)`)
}

/** Turns everything that a command throws into its failure. No other code does this. */
export function failureOf(command: Command, error: unknown): Failure {
  if (error instanceof ConfigError)
    return { exitCode: 2, lines: error.faults, refusal: { code: 'VALIDATION_ERROR', message: error.faults.join(' ') } }
  if (error instanceof UsageError || isParseArgsError(error))
    return wrongUsage(`${(error as Error).message.split('. To specify')[0]} (see: svc ${command.name} --help)`)
  if (error instanceof CommandFailure) return ofCommand(error)
  if (error instanceof MigrationError) return failed(error.message, { code: 'CONFLICT', message: error.message })
  return unexpected(command, toAppError(error))
}

const failed = (line: string, refusal: Failure['refusal']): Failure => ({ exitCode: 1, lines: [line], refusal })

const wrongUsage = (message: string): Failure => ({
  exitCode: 2,
  lines: [message],
  refusal: { code: 'VALIDATION_ERROR', message },
})

function ofCommand({ code, message, more: { lines = [message], details } }: CommandFailure): Failure {
  return { exitCode: 1, lines, refusal: { code, message, ...(details && { details }) } }
}

/** The refusal of a service, or an unexpected error: its text is for people, not for scripts. */
function unexpected({ optionOf = {} }: Command, error: unknown): Failure {
  if (!(error instanceof AppError))
    return failed(`It failed: ${reasonOf(error)}`, new AppError('INTERNAL_ERROR').toWire())
  const refusal = error.toWire()
  const message = withOptions(refusal.message, optionOf)
  const reason = error.cause === undefined ? message : reasonOf(error.cause)
  return failed(message.includes(reason) ? message : `${message} (${reason})`, { ...refusal, message })
}

/**
 * The message with the names of options in place of the fields of a service or of a body. A field whose name is
 * also an English word is replaced only at the start of the message.
 */
function withOptions(message: string, optionOf: Readonly<Record<string, string>>): string {
  return Object.entries(optionOf).reduce((text, [field, option]) => {
    const isWord = /^[a-z]+$/.test(field)
    return text.replace(new RegExp(isWord ? `^(body/)?${field}\\b` : `(\\bbody/)?\\b${field}\\b`, 'g'), option)
  }, message)
}

const isParseArgsError = (error: unknown): boolean =>
  error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
