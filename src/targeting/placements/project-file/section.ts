import type { RowChanges } from '../../../base/db/row-changes'
import { contentByName, objectsIn } from '../../../core/project-file/content'
import { objects } from '../../../projects/project-file/form'
import {
  changed,
  idOf,
  idOrNull,
  live,
  nameOf,
  nameOrNull,
  planObjects,
  savedAs,
  tooMany,
} from '../../../projects/project-file/pair'
import { type Problem, problem } from '../../../projects/project-file/problem'
import type { Checking, IdsByName, Names, Section, Writing } from '../../../projects/project-file/section'
import { AUDIENCES } from '../../audiences/project-file/form'
import { EXPERIMENTS } from '../../experiments/project-file/form'
import { MAX_PLACEMENTS } from '../check'
import { isTarget, type PlacementTarget } from '../model'
import { listPlacements, type Placement, writePlacements } from '../service'
import { PLACEMENT, PLACEMENTS, type PlacementState, SHOWN, type TargetState } from './form'

/** The placements of a project. Each change gives a placement its next revision. */
export const placementSection: Section<PlacementState, readonly Placement[], PlacementState, RowChanges<Placement>> = {
  key: PLACEMENTS,
  idPrefix: 'plc',
  takenCode: 'IDENTIFIER_TAKEN',
  holdsJson: true,
  parse: objects(PLACEMENT.from),
  load: ({ handle, project }) => listPlacements(handle, project.id),
  names: (saved) => new Map(saved.map((row) => [row.id, row.identifier])),
  current: (saved, names) =>
    saved.map((row) => savedAs(names.of(PLACEMENTS), row.id, row.identifier, stateOf(row, names))),
  plan: (given) => planObjects(given),
  uses: (state) => [
    { of: AUDIENCES, names: state.rows.flatMap(({ audience }) => audience ?? []) },
    ...(['funnel', 'experiment', 'offering'] as const).map((type) => ({
      of: SHOWN[type],
      names: state.rows.flatMap((row) => row.target[type] ?? []),
    })),
  ],
  check: (given) => [...otherTypes(given), ...tooMany(PLACEMENTS, given.pairs, MAX_PLACEMENTS)],
  named: (name) => ({ identifier: name }),
  rows: placementRows,
  write: writePlacements,
  content: (saved) => contentByName(saved, PLACEMENT.write),
}

const stateOf = ({ name, isActive, rows: saved }: Placement, names: Names): PlacementState => ({
  name,
  isActive,
  rows: objectsIn(saved).flatMap((row) =>
    isTarget(row.target)
      ? { audience: nameOrNull(names.of(AUDIENCES), row.audienceId), target: targetState(row.target, names) }
      : [],
  ),
})

function targetState({ type, ...saved }: PlacementTarget, names: Names): TargetState {
  if (type === 'none') return { type }
  const { [`${type}Id`]: id = '' } = saved as Record<string, string>
  return { type, [type]: nameOf(names.of(SHOWN[type]), id) }
}

function toTarget({ type, ...named }: TargetState, ids: IdsByName): PlacementTarget {
  if (type === 'none') return { type }
  return { type, [`${type}Id`]: idOf(ids.of(SHOWN[type]), named[type] ?? '') } as PlacementTarget // Its type has this id.
}

/** The rows of the placements that a plan changes, each with its next revision. */
function placementRows({
  pairs,
  rows: saved,
  ids,
}: Writing<readonly Placement[], PlacementState>): RowChanges<Placement> {
  const revisions = new Map(saved.map(({ id, revision }) => [id, revision]))
  return changed(pairs, (id, name, state) => ({
    ...{ id, identifier: name, ...state },
    rows: state.rows.map((row) => ({
      audienceId: idOrNull(ids.of(AUDIENCES), row.audience),
      target: toTarget(row.target, ids),
    })),
    revision: (revisions.get(id) ?? 0) + 1,
  }))
}

/** A problem for each row whose experiment exists and is not of type FUNNEL. */
function otherTypes({ pairs, planned }: Checking<PlacementState, unknown, PlacementState>): Problem[] {
  const types = new Map(live(planned.of(EXPERIMENTS)).map(({ name, after }) => [name, after.type]))
  return live(pairs).flatMap(({ path, after }) =>
    after.rows.flatMap((row, index) => {
      const { experiment: key = '' } = row.target
      const type = types.get(key)
      if (path === null || type === undefined || type === 'FUNNEL') return []
      const message = `The experiment ${key} is of type ${type}; a placement shows one of type FUNNEL`
      const details = { kind: 'experimentType', ids: [key] }
      return [problem([...path, 'rows', index, 'target', 'experiment'], message, 'INVALID_ROW_REF', details)]
    }),
  )
}
