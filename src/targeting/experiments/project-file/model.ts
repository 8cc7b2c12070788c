import { sectionKey } from '../../../projects/project-file/model'
import type { ExperimentState } from '../file-state'
import type { ExperimentStatus, Variant } from '../model'

/** Without a status, the saved status is kept; a new experiment becomes a DRAFT. */
export type WantedExperiment = Omit<ExperimentState, 'status'> & { status: ExperimentStatus | null }

export const EXPERIMENTS = sectionKey<ExperimentState, WantedExperiment>('experiments', 'experiment')

/** The slug of the funnel that a variant of a FUNNEL experiment shows. */
export const funnelOf = ({ value }: Variant): string => (value as { funnel: string }).funnel // The parser reads values of this form.
