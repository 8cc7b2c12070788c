import type { RowChanges } from '../../../base/db/row-changes'
import { FUNNELS } from '../../../funnels/publication/project-file/model'
import { planObjects } from '../../../projects/project-file/pair'
import type { Names, Section, Use } from '../../../projects/project-file/section'
import { nameOf, nameOrNull, objectsIn, savedAs } from '../../../projects/project-file/stored'
import { AUDIENCES } from '../../audiences/project-file/model'
import { EXPERIMENTS } from '../../experiments/project-file/model'
import { isTarget, type PlacementTarget } from '../model'
import { listPlacements, type Placement, writePlacements } from '../service'
import { checkPlacements } from './check'
import { placementsContent } from './content'
import { PLACEMENTS, type PlacementState, type TargetState } from './model'
import { parsePlacements } from './parse'
import { placementRows } from './rows'

type Rows = readonly Placement[]

/** The placements of a project. Each change gives a placement its next revision. */
export const placementSection: Section<PlacementState, Rows, PlacementState, RowChanges<Placement>> = {
  key: PLACEMENTS,
  idPrefix: 'plc',
  takenCode: 'IDENTIFIER_TAKEN',
  holdsJson: true,
  parse: parsePlacements,
  load: ({ handle, project }) => listPlacements(handle, project.id),
  names: (rows) => new Map(rows.map(({ id, identifier }) => [id, identifier])),
  current: (rows, names) =>
    rows.map((row) => savedAs(names.of(PLACEMENTS), row.id, row.identifier, stateOf(row, names))),
  plan: (given) => planObjects(given),
  uses,
  check: checkPlacements,
  named: (identifier) => ({ identifier }),
  rows: placementRows,
  write: writePlacements,
  content: placementsContent,
}

const stateOf = ({ name, isActive, rows }: Placement, names: Names): PlacementState => ({
  name,
  isActive,
  rows: objectsIn(rows).flatMap(({ audienceId, target }) =>
    isTarget(target)
      ? { audience: nameOrNull(names.of(AUDIENCES), audienceId), target: targetState(target, names) }
      : [],
  ),
})

function targetState(target: PlacementTarget, names: Names): TargetState {
  if (target.type === 'none') return target
  if (target.type === 'funnel') return { type: 'funnel', funnel: nameOf(names.of(FUNNELS), target.funnelId) }
  return { type: 'experiment', experiment: nameOf(names.of(EXPERIMENTS), target.experimentId) }
}

function uses({ rows }: PlacementState): Use[] {
  const targets = rows.map(({ target }) => target)
  return [
    { of: AUDIENCES, names: rows.flatMap(({ audience }) => audience ?? []) },
    { of: FUNNELS, names: targets.flatMap((target) => (target.type === 'funnel' ? target.funnel : [])) },
    { of: EXPERIMENTS, names: targets.flatMap((target) => (target.type === 'experiment' ? target.experiment : [])) },
  ]
}
