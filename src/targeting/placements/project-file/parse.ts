import { FUNNELS } from '../../../funnels/publication/project-file/model'
import { identifier, label } from '../../../projects/project-file/fields'
import type { SectionKey, Wanted } from '../../../projects/project-file/model'
import { objects } from '../../../projects/project-file/objects'
import {
  bool,
  checkedText,
  drawnAs,
  drawsAny,
  list,
  type Members,
  object,
  type Read,
  type ReferenceRefusal,
  type Spot,
} from '../../../projects/project-file/reader'
import { AUDIENCES, checkAudienceName } from '../../audiences/project-file/model'
import { EXPERIMENTS } from '../../experiments/project-file/model'
import { MAX_ROWS } from '../check'
import type { PlacementRowState, PlacementState, TargetState } from './model'

/** How the name of an unknown object in a row is refused. */
const IN_ROW: ReferenceRefusal = { code: 'INVALID_ROW_REF', details: (kind, ids) => ({ kind, ids }) }

/** Reads the name of another object in a row. */
const inRow =
  (key: SectionKey<unknown>, read: Read<string>): Read<string> =>
  (spot) => {
    const name = read(spot)
    if (name !== undefined) spot.refer(key, name, IN_ROW)
    return name
  }

const audience = inRow(AUDIENCES, checkedText(255, checkAudienceName))
const funnel = inRow(FUNNELS, identifier)
const experiment = inRow(EXPERIMENTS, identifier)

const HELP = 'This must be none, {funnel: <slug>} or {experiment: <key>}'

const named: Read<TargetState> = object((members, spot): TargetState => {
  const slug = members.optional<string | null>('funnel', funnel, null)
  const key = members.optional<string | null>('experiment', experiment, null)
  const given = spot.node.kind === 'map' ? spot.node.members.size : 0
  if (given !== 1) spot.fail(HELP)
  if (slug !== null) return { type: 'funnel', funnel: slug }
  return key === null ? { type: 'none' } : { type: 'experiment', experiment: key }
})

const nothing: Read<TargetState> = drawnAs({ const: 'none' }, () => ({ type: 'none' }))

const target: Read<TargetState> = (spot) => {
  if (drawsAny(spot, [nothing, named])) return undefined
  if (spot.node.kind === 'map') return named(spot)
  return spot.node.kind === 'scalar' && spot.node.value === 'none' ? { type: 'none' } : spot.fail(HELP)
}

const row: Read<PlacementRowState> = object((members) => ({
  audience: members.optional<string | null>('audience', audience, null),
  target: members.required<TargetState>('target', target, { type: 'none' }),
}))

/** Reads the rows. A row for everybody must be the last one, because no row below it is reached. */
const rows: Read<PlacementRowState[]> = (spot) => {
  const before = spot.problemCount
  const found = list(row, MAX_ROWS)(spot)
  if (spot.problemCount === before) refuseHidden(spot, found ?? [])
  return found
}

function refuseHidden(spot: Spot, found: readonly PlacementRowState[]): void {
  for (const [index, { audience: name }] of found.slice(0, -1).entries())
    if (name === null)
      spot.failAt([index], 'This row is for everybody, so that none below it is reached: make it the last')
}

const placement = (members: Members): PlacementState => ({
  name: members.required('name', label, ''),
  isActive: members.optional('isActive', bool, true),
  rows: members.optional('rows', rows, []),
})

export const parsePlacements: Read<Wanted<PlacementState>[]> = objects(placement)
