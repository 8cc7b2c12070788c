import type { ExperimentStatus } from './model'

/**
 * Whether an experiment in this status keeps its key from flags. Clients ask for a flag or an experiment by its key
 * alone (wire 2.23), so a key that can be answered names one of the two. A COMPLETED experiment is never answered
 * again: a flag can have its key, and `promoteToFlag` makes such a flag, so that apps keep the same key. Another
 * experiment cannot have it: results and draws are stored under it.
 */
export const claimsKey = (status: ExperimentStatus): boolean => status !== 'COMPLETED'
