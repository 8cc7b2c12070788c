/** When an experiment did not run; an open pause has no end. */
export interface Pause {
  pausedAt: number
  resumedAt: number | null
}

/** The type of event that store-confirmed purchases count as. */
export const PURCHASE_METRIC = 'purchase'

/** The types of events that convert, as they are stored; a column that was broken by hand converts nothing. */
export function readMetrics(stored: unknown): string[] {
  if (typeof stored === 'string') return readMetrics(parsedOrNull(stored))
  return Array.isArray(stored) ? stored.filter((type) => typeof type === 'string') : []
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

interface Run {
  key: string
  metrics: readonly string[]
  pauses: readonly Pause[]
}

interface Told {
  type: string
  /** The only experiment that it is meant for; null = every one. */
  experimentKey: string | null
  occurredAt: number
}

/**
 * When the first of these events converted somebody who was exposed at an instant, or null: it is of a type that
 * counts, meant for this experiment, not before the exposure, and while the experiment ran.
 */
export function conversionAt(run: Run, exposedAt: number, events: readonly Told[]): number | null {
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
