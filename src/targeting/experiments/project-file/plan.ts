import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import type { Pair } from '../../../projects/project-file/model'
import { newNamesOf, planObjects } from '../../../projects/project-file/pair'
import type { Planning } from '../../../projects/project-file/section'
import { type ExperimentState, withOfferings } from '../file-state'
import type { ExperimentStatus } from '../model'
import type { Experiment } from '../stored-experiments'
import type { WantedExperiment } from './model'

/** The experiments before and after the file is applied. Those outside the file get new names of renamed offerings. */
export function planExperiments({
  wanted,
  saved,
  prune,
  planned,
}: Planning<WantedExperiment, readonly Experiment[], ExperimentState>): Pair<ExperimentState>[] {
  const statuses = new Map(saved.map(({ name, state }) => [name, state.status]))
  const objects = wanted?.map(({ state, ...rest }) => {
    const status = laterOf(statuses.get(rest.name) ?? 'DRAFT', state.status ?? 'DRAFT')
    return { ...rest, state: { ...state, status } }
  })
  const offerings = newNamesOf(planned.of(OFFERINGS))
  return planObjects({ wanted: objects ?? null, saved, prune }).map((pair) =>
    pair.path === null && pair.after !== null ? { ...pair, after: withOfferings(pair.after, offerings) } : pair,
  )
}

const COURSE: readonly ExperimentStatus[] = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED']

/** A status never goes back to an earlier one: an experiment that was started elsewhere keeps running. */
const laterOf = (saved: ExperimentStatus, wanted: ExperimentStatus): ExperimentStatus =>
  COURSE.indexOf(wanted) > COURSE.indexOf(saved) ? wanted : saved
