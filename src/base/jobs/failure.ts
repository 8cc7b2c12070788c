import { DrizzleQueryError } from 'drizzle-orm'
import { AppError } from '../errors'

const MAX_LENGTH = 200

/**
 * Why a job failed, for its row and the log: one line of at most 200 characters without anything that may be secret or
 * personal. It contains no statement and none of its values, no stack, only the host of an address, and nothing that
 * looks like a token.
 */
export const describeFailure = (error: unknown): string => cut(nameOf(error))

/** The thrown value and its causes, the outermost first. */
function nameOf(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return nameOf(error.cause)
  if (!(error instanceof Error)) return `thrown: ${typeof error}`
  const [line] = error.message.split('\n')
  const own = `${error instanceof AppError ? error.refusal : error.name}: ${line}`
  return error.cause instanceof Error ? `${own} <- ${nameOf(error.cause)}` : own
}

const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@]*@)?([^\s/?#"'<>]*)[^\s"'<>]*/gi
const MAIL = /[^\s@"'<>]+@[^\s@"'<>]+/g
// Keys, hashes and signed texts: 20 or more characters without a space, with a digit among them.
const TOKEN = /(?=[^\s"']*\d)[\w+/=.~-]{20,}/g

function cut(text: string): string {
  const [line = ''] = text.split('\n')
  const safe = line
    .slice(0, 4 * MAX_LENGTH)
    .replace(ADDRESS, '$1$2')
    .replace(MAIL, '[…]')
    .replace(TOKEN, '[…]')
  return safe.length > MAX_LENGTH ? `${safe.slice(0, MAX_LENGTH - 1)}…` : safe
}
