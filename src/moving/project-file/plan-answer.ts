import { AppError } from '../../base/errors'
import { MAX_FAULTS } from '../../base/lib/faults'
import type { LocatedProblem } from '../../projects/project-file/problem'
import type { PlanReport } from './report'

/** A plan as it is answered. */
export const toPlan = ({ lines, diff, configVersion }: PlanReport) => ({ lines, ...diff, configVersion })

/** 400 `VALIDATION_ERROR` for a file with problems, with the places of the first ones. */
export function refusal(problems: readonly LocatedProblem[], what = 'file'): AppError {
  const fields = [...new Set(problems.map(({ path }) => path))].slice(0, MAX_FAULTS)
  const count = `${problems.length} problem${problems.length === 1 ? '' : 's'}`
  const message = `The ${what} has ${count}, so nothing was changed${firstOf(problems)}`
  return new AppError('VALIDATION_ERROR', { fields }, { message })
}

function firstOf([first]: readonly LocatedProblem[]): string {
  if (!first) return ''
  return `; the first is in line ${first.line}: ${[first.path, first.message].filter(Boolean).join(': ')}`
}
