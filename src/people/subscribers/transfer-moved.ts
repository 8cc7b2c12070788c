/** What a transfer moved, as its row keeps it. Rows of every release must still be undone, so members are only ever added. */
export interface TransferMoved {
  /** Whether the whole subscriber was merged, or only the purchases named. */
  isMerge: boolean
  label: string | null
  labelGiven: boolean
  purchaseIds: string[]
  /** Currency id -> amount carried over. */
  credits: Record<string, number>
  experimentIds: string[]
  experimentsDropped: { experimentId: string; variantId: string }[]
  attributeKeys: string[]
  /** The dropped assignments as they were; absent in transfers of release 1.0. */
  assignmentsDropped?: KeptAssignment[]
  /** Assignments of the target that took over an exposure; absent in transfers of release 1.0. */
  assignmentsJoined?: JoinedAssignment[]
  /** Rows merged into the source before, which point to the target since; absent in transfers of release 1.0. */
  repointedIds?: string[]
  /** The target's label before it took the source's. */
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

/** An assignment that a merge dropped, with all that an undo needs to bring it back. */
export interface KeptAssignment {
  experimentId: string
  variantId: string
  hashVersion: number
  assignedAt: number
  exposedAt: number | null
  convertedAt: number | null
  /** The rest is absent in transfers of release 1.0. */
  placementId?: string | null
  platform?: 'ios' | 'android' | 'web' | null
  country?: string | null
  crossedAt?: number | null
}

/** What somebody has seen and done in an experiment. */
export type Exposed = Omit<Required<KeptAssignment>, 'experimentId' | 'variantId' | 'hashVersion' | 'assignedAt'>

/** A survivor's own assignment that took over what a dropped one had seen. */
export interface JoinedAssignment {
  experimentId: string
  before: Exposed
  after: Exposed
}
