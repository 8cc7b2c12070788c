import type { ErrorCode } from '../../base/errors'
import type { Fault } from '../../core/text/fault'

/** A place in a project file, from the top: `['products', 'pro', 'grants', 0]`. */
export type Path = readonly (string | number)[]

/** Line and column count from 1. */
export interface Position {
  line: number
  column: number
}

/** A reason why a project file cannot be applied. */
export interface Problem {
  path: Path
  code: ErrorCode
  message: string
  details: Record<string, unknown> | null
}

/** A problem with its position, for the person who wrote the file. */
export interface LocatedProblem extends Position {
  path: string
  code: ErrorCode
  message: string
  details: Record<string, unknown> | null
}

export const problem = (
  path: Path,
  message: string,
  code: ErrorCode = 'VALIDATION_ERROR',
  details: Record<string, unknown> | null = null,
): Problem => ({ path, code, message, details })

/** The steps of a path in text form, `variants[0].value`: the reverse of `formatPath`. */
export const stepsOf = (path: string): Path =>
  (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The message of a fault without its path, for output that gives the path separately. */
export const sentenceOf = ({ path, message }: Fault): string => `This ${message.slice(path.length + 1)}`

/** A path as text: `products.pro.grants[0]`. */
export const formatPath = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
