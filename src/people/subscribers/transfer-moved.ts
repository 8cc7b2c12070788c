import type { JsonInteger } from '../../base/lib/int64'

/**
 * What a transfer moved, as its row stores it. Add members, but never change or remove one: rows that an older release
 * wrote must still be undone.
 */
export interface TransferMoved {
  /** True when the whole subscriber was merged; false when only `purchaseIds` moved. */
  isMerge: boolean
  label: string | null
  labelGiven: boolean
  purchaseIds: string[]
  /** Currency id -> amount that moved. */
  credits: Record<string, JsonInteger>
  experimentIds: string[]
  experimentsDropped: { experimentId: string; variantId: string }[]
  attributeKeys: string[]
  /** The dropped assignments, as they were before the merge; absent in transfers of release 1.0. */
  assignmentsDropped?: KeptAssignment[]
  /** Assignments of the target that an exposure was copied to; absent in transfers of release 1.0. */
  assignmentsJoined?: JoinedAssignment[]
  /**
   * Ids of the rows that had been merged into the source. Since the merge they point to the target. Absent in transfers
   * of release 1.0.
   */
  repointedIds?: string[]
  /** Sessions of funnels in which the source had bought; absent where there were none. */
  funnelSessionIds?: string[]
  /** The target's label before it got the source's label. */
  labelBefore?: string | null
}

export const NOTHING_MOVED: TransferMoved = {
  isMerge: false,
  label: null,
  labelGiven: false,
  purchaseIds: [],
  credits: {},
  experimentIds: [],
  experimentsDropped: [],
  attributeKeys: [],
}

/** An assignment that a merge dropped, with everything that an undo needs to restore it. */
export interface KeptAssignment {
  experimentId: string
  variantId: string
  hashVersion: number
  assignedAt: number
  exposedAt: number | null
  convertedAt: number | null
  /** This and the following members are absent in transfers of release 1.0. */
  placementId?: string | null
  platform?: 'ios' | 'android' | 'web' | null
  country?: string | null
  crossedAt?: number | null
}

/** The exposure and the conversion of a subscriber in an experiment, with the circumstances of the exposure. */
export type Exposed = Omit<Required<KeptAssignment>, 'experimentId' | 'variantId' | 'hashVersion' | 'assignedAt'>

/** An assignment of the survivor that the exposure of a dropped assignment was copied to. */
export interface JoinedAssignment {
  experimentId: string
  before: Exposed
  after: Exposed
}
