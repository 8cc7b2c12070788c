import { ApiFailure, Unreachable } from '../api/failure'
import type { RefusalCode } from '../api/schemas'

/** What the code of a refusal means, in a language other than English. The server’s sentence says more. */
export const refusalIn = (error: Error, refusals: Readonly<Record<RefusalCode, string>> | null): string | null =>
  error instanceof ApiFailure ? (refusals?.[error.code as RefusalCode] ?? null) : null

export const messageOf = (error: Error, unreachable: string): string =>
  error instanceof Unreachable ? unreachable : error.message
