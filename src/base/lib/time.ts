export { MAX_INSTANT, parseIso } from '../../core/time/iso'

/** `2026-11-20T08:00:00.000Z`: the format of every time on the wire. */
export const toIso = (instant: number): string => new Date(instant).toISOString()

export const toIsoOrNull = (instant: number | null): string | null => (instant === null ? null : toIso(instant))
