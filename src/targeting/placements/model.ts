import type { Fault, Matches } from '../../base/lib/matches'

export type PlacementTarget =
  | { type: 'none' }
  | { type: 'funnel'; funnelId: string }
  | { type: 'experiment'; experimentId: string }

/** Whether a stored row points at what placements know. */
export const isTarget = (target: PlacementTarget | null | undefined): target is PlacementTarget =>
  target?.type === 'none' || target?.type === 'funnel' || target?.type === 'experiment'

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
  /** Nobody, when the audience is missing or broken. */
  matches: Matches<Subject>
  target: PlacementTarget
}

export interface CompiledPlacement<Subject> extends Omit<StoredPlacement, 'rows'> {
  rows: readonly CompiledRow<Subject>[]
}

/** A funnel that can be sent: published, and its version could be loaded. Whatever else it holds is passed on. */
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
  /** The variant that the server has decided on; its weight is 1 and the others' 0. Null = the client draws. */
  assignedVariantId: string | null
  variants: { variantId: string; weight: number; funnel: FunnelDocument<Funnel> }[]
}

/** The `data` of wire 2.12. */
export interface PlacementAnswer<Funnel extends LoadedFunnel> {
  placement: { identifier: string; revision: number } | null
  funnel: FunnelDocument<Funnel> | null
  experiment: ExperimentDocument<Funnel> | null
}

/** Why a row was passed over. The last ones are of its experiment. */
export type RowReason =
  | 'AUDIENCE'
  | 'FUNNEL_NOT_LOADABLE'
  | 'EXPERIMENT_MISSING'
  | 'EXPERIMENT_NOT_RUNNING'
  | 'EXPERIMENT_NOT_OVER_FUNNELS'
  | 'EXPERIMENT_AUDIENCE'
  | 'EXPERIMENT_EXCLUDED'

/**
 * HOLDOUT: the control's funnel, plain. FIRST_LOADABLE: a variant's funnel could not be loaded. NONE: the row says so.
 * NO_ROW: every row was passed over.
 */
export type PlacementReason =
  | 'UNKNOWN'
  | 'INACTIVE'
  | 'NO_ROW'
  | 'NONE'
  | 'FUNNEL'
  | 'EXPERIMENT'
  | 'HOLDOUT'
  | 'FIRST_LOADABLE'

export interface Resolution<Funnel extends LoadedFunnel> {
  answer: PlacementAnswer<Funnel>
  reason: PlacementReason
  /** Index of the row that decided. */
  row: number | null
  /** Why each row above it did not. */
  passed: RowReason[]
  /** Audiences that could not be asked: to be reported, never sent. */
  faults: Fault[]
}
