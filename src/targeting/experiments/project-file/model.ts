import { sectionKey } from '../../../projects/project-file/model'
import type { ExperimentStatus, ExperimentType, Variant } from '../model'

export interface ExperimentState {
  name: string
  type: ExperimentType
  /** Null = everybody. */
  audience: string | null
  metrics: string[]
  /** The value of a FUNNEL experiment's variant is `{ funnel }`, by its slug. */
  variants: Variant[]
  mutualExclusionGroup: string | null
  scheduledStartAt: string | null
  scheduledStopAt: string | null
  status: ExperimentStatus
}

/** Without a status the present one stays; a new experiment is a DRAFT. */
export type WantedExperiment = Omit<ExperimentState, 'status'> & { status: ExperimentStatus | null }

export const EXPERIMENTS = sectionKey<ExperimentState, WantedExperiment>('experiments', 'experiment')

/** The slug of the funnel that a variant of a FUNNEL experiment shows. */
export const funnelOf = ({ value }: Variant): string => (value as { funnel: string }).funnel // As it was read.
