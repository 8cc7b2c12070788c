import type { Clock } from '../core/globals'

interface Timer {
  at: number
  run(): void
}

/** A clock that only changes when it is moved. */
export interface FakeClock extends Clock {
  /** Moves to the next timer, at most to `until`. False when no timer was due before it. */
  step(until: number): boolean
  /** Changes the time of day without running a timer, as a person who sets the clock. */
  jump(ms: number): void
  /** Milliseconds since its creation, which no jump changes. */
  elapsed(): number
}

export function createFakeClock(start = Date.UTC(2026, 10, 20, 8)): FakeClock {
  let elapsed = 0
  let jumped = 0
  let last = 0
  const timers = new Map<number, Timer>()
  return {
    now: () => start + elapsed + jumped,
    elapsed: () => elapsed,
    setTimeout(run, ms) {
      timers.set(++last, { at: elapsed + Math.max(0, ms), run })
      return last
    },
    clearTimeout: (id) => void timers.delete(id as number),
    jump(ms) {
      jumped += ms
    },
    step(until) {
      const due = [...timers].sort(([a, { at: first }], [b, { at: second }]) => first - second || a - b)[0]
      if (!due || due[1].at > until) {
        elapsed = Math.max(elapsed, until)
        return false
      }
      const [id, { at, run }] = due
      timers.delete(id)
      elapsed = Math.max(elapsed, at)
      run()
      return true
    },
  }
}
