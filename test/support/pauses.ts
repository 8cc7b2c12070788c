import { spyOn } from 'bun:test'
import { SECOND } from '../../src/base/lib/clock'

/** Pauses of one length that end only when the test calls `release`. */
export interface HeldPauses {
  /** Waits until this many pauses have begun. */
  begun(count: number): Promise<void>
  /** Ends the pauses that have begun. Later pauses have their normal length. */
  release(): void
}

/** Holds every later `Bun.sleep` of this length. */
export const holdPauses = (ms: number): HeldPauses =>
  hold((begin) => {
    const { sleep } = Bun
    return spyOn(Bun, 'sleep').mockImplementation((given) => (given === ms ? begin() : sleep(given)))
  })

/** Ends every later `Bun.sleep` of this length at once, and counts them. */
export function skipPauses(ms: number): { readonly count: number; restore(): void } {
  const { sleep } = Bun
  let count = 0
  const spy = spyOn(Bun, 'sleep').mockImplementation((given) => {
    if (given !== ms) return sleep(given)
    count++
    return new Promise(setImmediate)
  })
  return {
    get count() {
      return count
    },
    restore: () => spy.mockRestore(),
  }
}

/** Holds every later `setTimeout` of these lengths. One that is cleared meanwhile never fires. */
export const holdTimers = (...lengths: number[]): HeldPauses =>
  hold((begin) => {
    const start = globalThis.setTimeout
    const clear = globalThis.clearTimeout
    const cleared = new Set<unknown>()
    const held = (fire: (...args: unknown[]) => void, given?: number, ...args: unknown[]) => {
      if (given === undefined || !lengths.includes(given)) return start(fire, given, ...args)
      const timer = start(() => {}, 0)
      void begin().then(() => cleared.has(timer) || fire(...args))
      return timer
    }
    const starts = spyOn(globalThis, 'setTimeout').mockImplementation(held as unknown as typeof setTimeout)
    const clears = spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      cleared.add(timer)
      clear(timer as Timer)
    })
    return {
      mockRestore() {
        starts.mockRestore()
        clears.mockRestore()
      },
    }
  })

/**
 * Makes what depends on the speed of the machine the same on each. Until `restore`, everything takes 0 ms, but for
 * `advance`, and timers of these lengths do not fire.
 */
export function stopDurations(...timers: number[]): { advance(ms: number): void; restore(): void } {
  let nowMs = performance.now()
  const time = spyOn(performance, 'now').mockImplementation(() => nowMs)
  const held = holdTimers(...timers)
  return {
    advance(ms) {
      nowMs += ms
    },
    restore() {
      time.mockRestore()
      held.release()
    },
  }
}

/** With cohorts and leaderboards: how long one is kept depends on how long it took, and a request waits 5 or 6 s. */
export const computeAtOnce = () => stopDurations(5 * SECOND, 6 * SECOND)

/** Replaces every later `AbortSignal.timeout`, until `expire` ends the time of all of them. */
export function holdTimeouts(): { readonly asked: number[]; expire(): void } {
  const patience = new AbortController()
  const asked: number[] = []
  const spy = spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms)
    return patience.signal
  })
  return {
    asked,
    expire() {
      spy.mockRestore()
      patience.abort(new DOMException('The operation timed out.', 'TimeoutError'))
    },
  }
}

function hold(watch: (begin: () => Promise<void>) => { mockRestore(): void }): HeldPauses {
  const { promise: over, resolve: release } = Promise.withResolvers<void>()
  const awaited: { count: number; resolve: () => void }[] = []
  let begun = 0
  const resolveBegun = () => {
    for (const { count, resolve } of awaited) if (begun >= count) resolve()
  }
  const spy = watch(() => {
    begun++
    resolveBegun()
    return over
  })
  return {
    begun: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      awaited.push({ count, resolve })
      resolveBegun()
      return promise
    },
    release() {
      spy.mockRestore()
      release()
    },
  }
}
