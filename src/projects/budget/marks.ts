/** Percents of the events that a plan includes. */
export interface Budget {
  /** Owners and administrators get a notice when this much is used. */
  alertsAt: readonly number[]
  /** Over it telemetry is dropped; null = never. */
  stopTelemetryAt: number | null
}

export const NO_BUDGET: Budget = { alertsAt: [], stopTelemetryAt: null }

/** What the present month has used of the events that the plan includes; null = no limit. */
export interface EventUse {
  used: number
  included: number | null
}

// In exact integers: products of large amounts would lose their last digits.
const share = ({ used }: EventUse): bigint => BigInt(used) * 100n
const markOf = (included: number, percent: number): bigint => BigInt(included) * BigInt(percent)

/** Whether telemetry is dropped: more is used than the mark. Exactly as much is not over it. */
export const isStopped = ({ stopTelemetryAt }: Budget, use: EventUse): boolean =>
  stopTelemetryAt !== null && use.included !== null && share(use) > markOf(use.included, stopTelemetryAt)

/** The reached marks: this much is used, or more. */
export function reachedMarks({ alertsAt }: Budget, use: EventUse): number[] {
  const { included } = use
  return included === null ? [] : alertsAt.filter((percent) => share(use) >= markOf(included, percent))
}
