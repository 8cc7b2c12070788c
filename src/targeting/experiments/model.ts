import type { Matches } from '../../core/rules/matches'
import type { Fault } from '../../core/text/fault'

export type ExperimentType = 'FLAG' | 'FUNNEL' | 'OFFERING'
export type ExperimentStatus = 'DRAFT' | 'RUNNING' | 'PAUSED' | 'COMPLETED'

export interface Variant {
  id: string
  name: string
  /** Fraction of 1. */
  weight: number
  /** FLAG: any JSON; OFFERING: an offering identifier; FUNNEL: `{ funnelId }`. */
  value: unknown
}

export interface ExperimentRow {
  id: string
  key: string
  type: ExperimentType
  status: ExperimentStatus
  audienceId: string | null
  /** The attribute by which variants are drawn; without one it is the bucketing id. */
  bucketBy?: string | null
  /** In declared order; the first is the control. */
  variants: readonly Variant[]
  mutualExclusionGroup: string | null
  createdAt: number
}

export interface CompiledExperiment<Subject> extends Omit<ExperimentRow, 'audienceId' | 'bucketBy'> {
  /** Matches no subscriber when the audience is missing or a stored part is broken. */
  matches: Matches<Subject>
  weights: readonly number[]
  /** Null = by the bucketing id. Who has no such attribute is not in the experiment. */
  bucketBy: ((subject: Subject) => string | undefined) | null
}

export interface ExperimentCompilation<Subject> {
  /** In the order in which they are decided: by creation, ties by id. */
  experiments: CompiledExperiment<Subject>[]
  /** What is broken in stored rows, to be logged; the path starts with the key of the experiment. */
  faults: Fault[]
}
