import type { Matches } from '../../core/rules/matches'
import type { Fault } from '../../core/text/fault'
import type { OfferingView } from '../../projects/catalog/wire'

export type PlacementTarget =
  | { type: 'none' }
  | { type: 'funnel'; funnelId: string }
  | { type: 'experiment'; experimentId: string }
  | { type: 'offering'; offeringId: string }

const TYPES: readonly unknown[] = ['none', 'funnel', 'experiment', 'offering']

/** Whether the target of a stored row is of a known type. */
export const isTarget = (target: PlacementTarget | null | undefined): target is PlacementTarget =>
  TYPES.includes(target?.type)

export interface PlacementRow {
  /** Null = everyone. */
  audienceId: string | null
  target: PlacementTarget
}

export interface StoredPlacement {
  identifier: string
  isActive: boolean
  revision: number
  rows: readonly PlacementRow[]
}

export interface CompiledRow<Subject> {
  /** Matches no subscriber when the audience is missing or broken. */
  matches: Matches<Subject>
  target: PlacementTarget
}

export interface CompiledPlacement<Subject> extends Omit<StoredPlacement, 'rows'> {
  rows: readonly CompiledRow<Subject>[]
}

/**
 * A funnel that can be sent: it is published, and its version could be loaded. Its other members are sent unchanged.
 */
export interface LoadedFunnel {
  id: string
  versionNo: number
}

/** What the client attaches to its next receipt. */
export interface PresentedContext {
  placementId: string
  placementRevision: number
  funnelId: string
  funnelVersionNo: number
  variantId: string | null
  experimentKey: string | null
}

export type FunnelDocument<Funnel extends LoadedFunnel> = Funnel & { presentedContext: PresentedContext }

export interface ExperimentDocument<Funnel extends LoadedFunnel> {
  id: string
  key: string
  /** Null for an anonymous caller, who draws with their own device key. */
  bucketingId: string | null
  /**
   * The variant that the server has decided on; its weight is 1 and the other weights are 0. Null = the client draws.
   */
  assignedVariantId: string | null
  variants: { variantId: string; weight: number; funnel: FunnelDocument<Funnel> }[]
}

/** The `data` of wire 2.12. */
export interface PlacementAnswer<Funnel extends LoadedFunnel> {
  placement: { identifier: string; revision: number } | null
  funnel: FunnelDocument<Funnel> | null
  experiment: ExperimentDocument<Funnel> | null
  offering: OfferingView | null
}

/** Why a row was not used. All but the first three are about its experiment. */
export type RowReason =
  | 'AUDIENCE'
  | 'FUNNEL_NOT_LOADABLE'
  | 'OFFERING_MISSING'
  | 'EXPERIMENT_MISSING'
  | 'EXPERIMENT_NOT_RUNNING'
  | 'EXPERIMENT_NOT_OVER_FUNNELS'
  | 'EXPERIMENT_AUDIENCE'
  | 'EXPERIMENT_EXCLUDED'

/**
 * HOLDOUT: the funnel of the control, without the experiment. FIRST_LOADABLE: the funnel of a variant could not be
 * loaded. NONE: the row has the target `none`. NO_ROW: no row applied.
 */
export type PlacementReason =
  | 'UNKNOWN'
  | 'INACTIVE'
  | 'NO_ROW'
  | 'NONE'
  | 'FUNNEL'
  | 'OFFERING'
  | 'EXPERIMENT'
  | 'HOLDOUT'
  | 'FIRST_LOADABLE'

export interface Resolution<Funnel extends LoadedFunnel> {
  answer: PlacementAnswer<Funnel>
  reason: PlacementReason
  /** Index of the row that decided. */
  row: number | null
  /** Why each row above it was not used. */
  passed: RowReason[]
  /** Audiences that could not be evaluated. They are logged and never sent. */
  faults: Fault[]
}
