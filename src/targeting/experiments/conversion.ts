/** A time in which an experiment did not run; null = the pause has not ended. */
export interface Pause {
  pausedAt: number
  resumedAt: number | null
}

/** The metric for which store-confirmed purchases count as conversions. */
export const PURCHASE_METRIC = 'purchase'

interface Run {
  key: string
  metrics: readonly string[]
  pauses: readonly Pause[]
}

interface ConversionEvent {
  type: string
  /** The only experiment that the event is meant for; null = every one. */
  experimentKey: string | null
  occurredAt: number
}

/**
 * When the first of these events converted a subscriber who was exposed at an instant, or null. An event converts when
 * its type counts, it is meant for this experiment, it is not before the exposure, and the experiment ran.
 */
export function conversionAt(run: Run, exposedAt: number, events: readonly ConversionEvent[]): number | null {
  const { key, metrics, pauses } = run
  const converting = events.filter(
    ({ type, experimentKey, occurredAt }) =>
      metrics.includes(type) &&
      (experimentKey === null || experimentKey === key) &&
      occurredAt >= exposedAt &&
      !isPaused(pauses, occurredAt),
  )
  return converting.length === 0 ? null : Math.min(...converting.map(({ occurredAt }) => occurredAt))
}

const isPaused = (pauses: readonly Pause[], at: number): boolean =>
  pauses.some(({ pausedAt, resumedAt }) => at >= pausedAt && (resumedAt === null || at < resumedAt))
