/**
 * What is counted in the transaction that makes it. `events`: rows of the event log. `telemetry`: sessions and events that
 * apps report. Both together are the meter `events` of a plan. `droppedTelemetry`: what of it was dropped over a budget, which
 * is in no other meter.
 */
export const COUNTED_METERS = ['events', 'telemetry', 'sqlQueries', 'webhookDeliveries', 'droppedTelemetry'] as const

export type CountedMeter = (typeof COUNTED_METERS)[number]

/** How many of each UTC day, by the days since 1970. A day without any may be absent. */
export type DayCounts = ReadonlyMap<number, number>

/** The sums by day. */
export function addCounts(...all: readonly DayCounts[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const counts of all) for (const [day, count] of counts) sums.set(day, (sums.get(day) ?? 0) + count)
  return sums
}

export const totalOf = (counts: DayCounts): number => counts.values().reduce((sum, count) => sum + count, 0)

/** One meter as the usage page shows it. */
export interface MeterUsage {
  name: string
  /** `LEVEL`: what a project has at one time, and not what it did in a month. */
  kind: 'COUNT' | 'LEVEL'
  used: number
  /** Of the month before; of a level: at its end. */
  previous: number | null
  /** What the plan includes; null = no limit. */
  limit: number | null
  forecast: number | null
  daily: number[]
  parts: { name: string; used: number }[]
  /** Telemetry of the month that was dropped over the budget. It is not in `used`. */
  dropped: number
}
