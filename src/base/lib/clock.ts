/** The only place that reads the wall clock. Instants are integer milliseconds UTC. */
export interface Clock {
  now(): number
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const systemClock: Clock = { now: () => Date.now() }

interface Shifted {
  readonly clock: Clock
  readonly config: { readonly testClockOffsetMs: number }
}

/** A clock that differs from another one by an offset. */
export const shiftedClock = (clock: Clock, offsetMs: number): Clock =>
  offsetMs === 0 ? clock : { now: () => clock.now() + offsetMs }

/**
 * The time outside of this server, also where tests move its own clock: for certificates, and for tokens that other
 * machines make or check.
 */
export const outsideNow = ({ clock, config }: Shifted): number => clock.now() - config.testClockOffsetMs

/** `outsideNow` as a clock. */
export const outsideClock = ({ clock, config }: Shifted): Clock => shiftedClock(clock, -config.testClockOffsetMs)

/** Milliseconds that never go back, for measuring durations. */
export const monotonicMs = (): number => performance.now()
