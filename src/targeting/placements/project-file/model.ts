import { sectionKey } from '../../../projects/project-file/model'

export type TargetState =
  | { type: 'none' }
  | { type: 'funnel'; funnel: string }
  | { type: 'experiment'; experiment: string }

export interface PlacementRowState {
  /** Null = everybody. */
  audience: string | null
  target: TargetState
}

export interface PlacementState {
  name: string
  isActive: boolean
  rows: PlacementRowState[]
}

export const PLACEMENTS = sectionKey<PlacementState>('placements', 'placement')
