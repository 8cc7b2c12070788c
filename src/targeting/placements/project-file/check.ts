import { tooMany } from '../../../projects/project-file/checks'
import { live } from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking } from '../../../projects/project-file/section'
import { EXPERIMENTS } from '../../experiments/project-file/model'
import { MAX_PLACEMENTS } from '../check'
import { PLACEMENTS, type PlacementState } from './model'

type Given = Checking<PlacementState, unknown, PlacementState>

/** Refuses placements with an experiment of another type than FUNNEL, and too many placements. */
export const checkPlacements = (given: Given): Problem[] => [
  ...otherTypes(given),
  ...tooMany(PLACEMENTS, given.pairs, MAX_PLACEMENTS),
]

/** A problem for each row whose experiment exists and is not of type FUNNEL. */
function otherTypes({ pairs, planned }: Given): Problem[] {
  const types = new Map(live(planned.of(EXPERIMENTS)).map(({ name, after }) => [name, after.type]))
  return live(pairs).flatMap(({ path, after }) =>
    after.rows.flatMap(({ target }, index) => {
      const key = target.type === 'experiment' ? target.experiment : ''
      const type = types.get(key)
      if (path === null || type === undefined || type === 'FUNNEL') return []
      const message = `The experiment ${key} is of type ${type}; a placement shows one of type FUNNEL`
      const details = { kind: 'experimentType', ids: [key] }
      return [problem([...path, 'rows', index, 'target', 'experiment'], message, 'INVALID_ROW_REF', details)]
    }),
  )
}
