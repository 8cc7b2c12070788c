import { toIso } from '../../core/time/iso'

export { MAX_INSTANT, parseIso, parseQueryIso, toIso } from '../../core/time/iso'

export const toIsoOrNull = (instant: number | null): string | null => (instant === null ? null : toIso(instant))
