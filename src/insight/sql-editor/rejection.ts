/** Why a query is refused (wire 7.11). */
export const REJECTION_REASONS = [
  'syntax',
  'not_select',
  'multiple_statements',
  'forbidden_table',
  'forbidden_function',
  'timeout',
  'memory',
] as const

export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** A query that is refused, or was ended at a limit. */
export class Rejection extends Error {
  constructor(
    readonly reason: RejectionReason,
    message: string,
    /** The place in the query, in bytes of UTF-8; absent where none is known. */
    readonly location?: number | undefined,
  ) {
    super(message)
  }
}

/** The message with the line and the column, both from 1, at which the reason lies. */
export function describeRejection(sql: string, { message, location }: Rejection): string {
  if (location === undefined) return message
  const before = Buffer.from(sql).subarray(0, location).toString()
  const lines = before.split('\n')
  return `${message} (line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1})`
}
