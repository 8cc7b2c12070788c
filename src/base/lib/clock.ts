/** The only place that reads the wall clock. Instants are integer milliseconds UTC. */
export interface Clock {
  now(): number
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds that never go back, for measuring durations. */
export const monotonicMs = (): number => performance.now()
