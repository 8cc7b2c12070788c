import type { Core } from './core'
import { LEASE } from './keys'

interface Lease {
  by: string
  until: number
}

const LASTS = 15_000

/**
 * Runs one piece of work at a time over all tabs of a site. Without Web Locks a tab writes its name into the storage, and
 * the last writer works; the others wait until it is done or its time is over.
 */
export function createTurns(core: Core): <T>(run: () => Promise<T>) => Promise<T> {
  const { memory, clock, globals, random, apiKey } = core
  const by = random(4)
  let last: Promise<unknown> = Promise.resolve()
  const isFree = (): boolean => {
    const { until = 0 } = memory.fresh<Lease>(LEASE) ?? {}
    const left = until - clock.now()
    if (left > 0 && left <= LASTS) return false
    memory.set(LEASE, { by, until: clock.now() + LASTS })
    return memory.fresh<Lease>(LEASE)?.by === by
  }
  const leased = async <T>(run: () => Promise<T>): Promise<T> => {
    while (!isFree()) await core.sleep(1000)
    return run().finally(() => memory.set(LEASE, undefined))
  }
  return (run) => {
    const { locks } = globals.navigator ?? {}
    const turn = last.then(() => (locks ? (locks.request(apiKey, run) as ReturnType<typeof run>) : leased(run)))
    last = turn.catch(() => {})
    return turn
  }
}
