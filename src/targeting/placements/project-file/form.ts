import { FUNNELS } from '../../../funnels/publication/project-file/form'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings'
import { identifier, label, reference } from '../../../projects/project-file/fields'
import { always, type Formed, form, may, must, orNone } from '../../../projects/project-file/form'
import { type SectionKey, sectionKey } from '../../../projects/project-file/model'
import {
  bool,
  checkedText,
  drawnAs,
  drawsAny,
  list,
  type Read,
  type ReferenceRefusal,
  type Spot,
  type Written,
  writtenAs,
} from '../../../projects/project-file/reader'
import { AUDIENCES, checkAudienceName } from '../../audiences/project-file/form'
import { EXPERIMENTS } from '../../experiments/project-file/form'
import { MAX_ROWS } from '../check'

/** The sections whose objects a row can show. A saved target has their id in `funnelId`, and so on. */
export const SHOWN = { funnel: FUNNELS, offering: OFFERINGS, experiment: EXPERIMENTS } as const
type Shown = keyof typeof SHOWN
const SHOWN_TYPES: readonly Shown[] = ['funnel', 'offering', 'experiment']

/** The object is named in the member of its type. */
export type TargetState = { type: 'none' | Shown } & Partial<Record<Shown, string>>

/** How the name of an unknown object in a row is refused. */
const IN_ROW: ReferenceRefusal = { code: 'INVALID_ROW_REF', details: (kind, ids) => ({ kind, ids }) }

/** Reads the name of another object in a row. */
const inRow =
  (key: SectionKey<unknown>, read: Read<string> = identifier): Read<string> =>
  (spot) => {
    const name = read(spot)
    if (name !== undefined) spot.refer(key, name, IN_ROW)
    return name
  }

const HELP = 'This must be none, {funnel: <slug>}, {experiment: <key>} or {offering: <identifier>}'

const NAMED = form(
  {
    funnel: orNone(inRow(FUNNELS)),
    experiment: orNone(inRow(EXPERIMENTS)),
    offering: orNone(reference(OFFERINGS)),
  },
  (state, spot) => {
    const given = spot.node.kind === 'map' ? spot.node.members.size : 0
    if (given !== 1) spot.fail(HELP)
    return state
  },
)

const nothing: Read<null> = drawnAs({ const: 'none' }, () => null)

const target: Written<TargetState> = writtenAs(
  (spot) => {
    if (drawsAny(spot, [nothing, NAMED])) return undefined
    if (spot.node.kind === 'scalar' && spot.node.value === 'none') return { type: 'none' }
    const named = spot.node.kind === 'map' ? NAMED(spot) : spot.fail(HELP)
    if (named === undefined) return undefined
    const type = SHOWN_TYPES.find((each) => named[each] !== null)
    return type === undefined ? { type: 'none' } : { type, [type]: named[type] }
  },
  ({ type, ...named }) => (type === 'none' ? type : named),
)

const ROW = form({
  /** Null = everybody. */
  audience: always(orNone(inRow(AUDIENCES, checkedText(255, checkAudienceName)))),
  target: must(target, { type: 'none' }),
})

type RowState = Formed<typeof ROW>

const rowList = list(ROW, MAX_ROWS)

/** Reads the rows. A row for everybody must be the last one, because no row below it is reached. */
const rows: Written<RowState[]> = Object.assign((spot: Spot) => {
  const before = spot.problemCount
  const found = rowList(spot)
  if (spot.problemCount === before) refuseHidden(spot, found ?? [])
  return found
}, rowList)

function refuseHidden(spot: Spot, found: readonly RowState[]): void {
  for (const [index, { audience }] of found.slice(0, -1).entries())
    if (audience === null)
      spot.failAt([index], 'This row is for everybody, so that none below it is reached: make it the last')
}

export const PLACEMENT = form({ name: must(label, ''), isActive: may(bool, true), rows: may(rows, []) })

export type PlacementState = Formed<typeof PLACEMENT>

export const PLACEMENTS = sectionKey<PlacementState>('placements', 'placement')
