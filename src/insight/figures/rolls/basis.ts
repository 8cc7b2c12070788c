import { VALUE_NAMES } from '../model'
import { GROUPS } from '../sums'

/** What the sums of a project depend on beside its entries and its time zone. */
export const rollBasis = (): string => [process.versions.icu, ...GROUPS, ...VALUE_NAMES].join(' ')
