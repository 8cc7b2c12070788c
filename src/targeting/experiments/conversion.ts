/** When an experiment did not run; an open pause has no end. */
export interface Pause {
  pausedAt: number
  resumedAt: number | null
}

/** The type of event that store-confirmed purchases count as. */
export const PURCHASE_METRIC = 'purchase'

interface Run {
  key: string
  metrics: readonly string[]
  pauses: readonly Pause[]
}

interface ConversionEvent {
  type: string
  /** The only experiment that it is meant for; null = every one. */
  experimentKey: string | null
  occurredAt: number
}

/**
 * When the first of these events converted somebody who was exposed at an instant, or null: it is of a type that
 * counts, meant for this experiment, not before the exposure, and while the experiment ran.
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
