import { spyOn } from 'bun:test'

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

/** Holds every later `setTimeout` of this length. One that is cleared meanwhile never fires. */
export const holdTimers = (ms: number): HeldPauses =>
  hold((begin) => {
    const start = globalThis.setTimeout
    const clear = globalThis.clearTimeout
    const cleared = new Set<unknown>()
    const held = (fire: (...args: unknown[]) => void, given?: number, ...args: unknown[]) => {
      if (given !== ms) return start(fire, given, ...args)
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
