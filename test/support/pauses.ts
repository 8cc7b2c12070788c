import { spyOn } from 'bun:test'

/** Pauses of one length, which end when the test says so and not before. */
export interface HeldPauses {
  /** Waits until so many have begun. */
  begun(count: number): Promise<void>
  /** Ends those that have begun; what comes after is as long as ever. */
  release(): void
}

/** Holds every `Bun.sleep` of this length from now on. */
export function holdPauses(ms: number): HeldPauses {
  const { promise: over, resolve: release } = Promise.withResolvers<void>()
  const sleep = Bun.sleep
  const awaited: { count: number; resolve: () => void }[] = []
  let begun = 0
  const tell = () => {
    for (const { count, resolve } of awaited) if (begun >= count) resolve()
  }
  const spy = spyOn(Bun, 'sleep').mockImplementation((given) => {
    if (given !== ms) return sleep(given)
    begun++
    tell()
    return over
  })
  return {
    begun: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      awaited.push({ count, resolve })
      tell()
      return promise
    },
    release() {
      spy.mockRestore()
      release()
    },
  }
}
