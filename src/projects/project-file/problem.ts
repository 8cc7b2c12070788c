import type { ErrorCode } from '../../base/errors'
import type { Fault } from '../../base/lib/matches'

/** Where something stands in a project file, from the top: `['products', 'pro', 'grants', 0]`. */
export type Path = readonly (string | number)[]

/** Both count from 1. */
export interface Position {
  line: number
  column: number
}

/** One thing that keeps a project file from being applied. */
export interface Problem {
  path: Path
  code: ErrorCode
  message: string
  details: Record<string, unknown> | null
}

/** A problem as it is told to whoever wrote the file. */
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

/** `variants[0].value` as steps: the other way round. */
export const stepsOf = (path: string): Path =>
  (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The sentence of a fault, whose place stands beside it already. */
export const sentenceOf = ({ path, message }: Fault): string => `This ${message.slice(path.length + 1)}`

/** `products.pro.grants[0]` */
export const formatPath = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
