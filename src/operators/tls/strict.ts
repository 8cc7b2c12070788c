import { DAY } from '../../base/lib/clock'

/** When https of a name started to work without a failure; null = it does not, or never did. */
type HealthySince = number | null

/** After a success: the time that has started continues. */
export const healthyAfterSuccess = (since: HealthySince, now: number): number => since ?? now

/**
 * After a failure: the first day starts again. Browsers that were told already to come by https only keep that for a
 * year, so a later failure changes nothing.
 */
export const healthyAfterFailure = (since: HealthySince, now: number): HealthySince =>
  since !== null && isStrict(since, now) ? since : null

/** Whether answers require https of browsers (HSTS): after the first day without a failure. */
export const isStrict = (since: HealthySince, now: number): boolean => since !== null && now - since >= DAY
