import { MAX_ROWS } from '../../targeting/placements/check'
import { identifier, label } from './fields'
import type { PlacementRowState, PlacementState, Reference, TargetState, Wanted } from './model'
import { checkAudienceName } from './parse-flags'
import { bool, checkedText, list, type Members, object, type Read, type Spot } from './reader'
import { section } from './section'

/** Another object, named in a row. */
const inRow =
  (resource: Reference['resource'], read: Read<string>): Read<string> =>
  (spot) => {
    const name = read(spot)
    if (name !== undefined) spot.refer(resource, name, true)
    return name
  }

const audience = inRow('audience', checkedText(255, checkAudienceName))
const funnel = inRow('funnel', identifier)
const experiment = inRow('experiment', identifier)

const HELP = 'This must be none, {funnel: <slug>} or {experiment: <key>}'

const named: Read<TargetState> = object((members, spot): TargetState => {
  const slug = members.optional<string | null>('funnel', funnel, null)
  const key = members.optional<string | null>('experiment', experiment, null)
  const given = spot.node.kind === 'map' ? spot.node.members.size : 0
  if (given !== 1) spot.fail(HELP)
  if (slug !== null) return { type: 'funnel', funnel: slug }
  return key === null ? { type: 'none' } : { type: 'experiment', experiment: key }
})

const target: Read<TargetState> = (spot) => {
  if (spot.node.kind === 'map') return named(spot)
  return spot.node.kind === 'scalar' && spot.node.value === 'none' ? { type: 'none' } : spot.fail(HELP)
}

const row: Read<PlacementRowState> = object((members) => ({
  audience: members.optional<string | null>('audience', audience, null),
  target: members.required<TargetState>('target', target, { type: 'none' }),
}))

/** A row for everybody hides every row below it. */
const rows: Read<PlacementRowState[]> = (spot) => {
  const before = spot.problemCount
  const found = list(row, MAX_ROWS)(spot)
  if (spot.problemCount === before) tellHidden(spot, found ?? [])
  return found
}

function tellHidden(spot: Spot, found: readonly PlacementRowState[]): void {
  for (const [index, { audience: name }] of found.slice(0, -1).entries())
    if (name === null)
      spot.failAt([index], 'This row is for everybody, so that none below it is reached: make it the last')
}

const placement = (members: Members): PlacementState => ({
  name: members.required('name', label, ''),
  isActive: members.optional('isActive', bool, true),
  rows: members.optional('rows', rows, []),
})

export const placementSection: Read<Wanted<PlacementState>[]> = section(placement)
