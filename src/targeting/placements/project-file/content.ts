import { type Content, contentByName, unless, withoutEmpty } from '../../../projects/project-file/content'
import type { Saved } from '../../../projects/project-file/model'
import type { PlacementRowState, PlacementState, TargetState } from './model'

/** The content of the placements in an exported file. */
export const placementsContent = (saved: readonly Saved<PlacementState>[]): Content =>
  contentByName(saved, placementContent)

const placementContent = ({ name, isActive, rows }: PlacementState): Content =>
  withoutEmpty({ name, isActive: unless(true, isActive), rows: rows.map(rowContent) })

const rowContent = ({ audience, target }: PlacementRowState): Content => ({
  audience,
  target: target.type === 'none' ? 'none' : withoutType(target),
})

const withoutType = ({ type: _type, ...named }: Exclude<TargetState, { type: 'none' }>): Content => named
