import { AppError } from '../../base/errors'
import { MAX_FAULTS } from '../../base/lib/faults'
import type { LocatedProblem } from '../../projects/project-file/problem'
import type { PlanReport } from './report'

/** A plan as it is answered. */
export const toPlan = ({ lines, diff, configVersion }: PlanReport) => ({ lines, ...diff, configVersion })

/** 400 `VALIDATION_ERROR` for a file with problems; the message has the first one with its place. */
export const refuseFile = (problems: readonly LocatedProblem[]): AppError =>
  refusal('file', problems, problems[0] ? `; the first is in ${placed(problems[0])}` : '')

const MOST_NAMED = 10

/** As `refuseFile`. An agent that corrects a patch gets the first ten problems. */
export const refusePatch = (problems: readonly LocatedProblem[]): AppError =>
  refusal('patch', problems, `: ${problems.slice(0, MOST_NAMED).map(placed).join('; ')}`)

const placed = ({ line, path, message }: LocatedProblem): string =>
  `line ${line}: ${[path, message].filter(Boolean).join(': ')}`

function refusal(what: string, problems: readonly LocatedProblem[], places: string): AppError {
  const fields = [...new Set(problems.map(({ path }) => path))].slice(0, MAX_FAULTS)
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'}`
  const message = `The ${what} has ${count}, so nothing was changed${places}`
  return new AppError('VALIDATION_ERROR', { fields }, { message })
}
