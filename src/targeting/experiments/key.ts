import type { ExperimentStatus } from './model'

/**
 * Whether no flag may have the key of an experiment in this status. Clients ask for a flag or an experiment by its key
 * alone (wire 2.23), so a key that can answer names one of the two. A COMPLETED experiment answers nobody, and never
 * will again: its key is free for a flag, which is what `promoteToFlag` makes of it, so that apps go on asking for the
 * same key. Another experiment cannot have it: results and draws are kept under it.
 */
export const claimsKey = (status: ExperimentStatus): boolean => status !== 'COMPLETED'
