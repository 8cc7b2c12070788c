import { type CircuitBreaker, type CircuitState, type CircuitStatus, circuitStatus } from './circuit'
import { HOUR } from './clock'

/** How calls to a store go, over all circuits of this process. */
export interface StoreHealth {
  store: string
  circuit: CircuitStatus
  /** The last good answer, milliseconds UTC; null = none since the start. */
  lastOkAt: number | null
}

interface Entry {
  store: string
  /** Of the store's test environment, which is often unwell. */
  isSandbox: boolean
  circuit: CircuitBreaker
}

/** An open circuit that nobody has tried for this long says nothing any more. */
const STALE_MS = HOUR

const WORST_FIRST: readonly CircuitStatus[] = ['OPEN', 'HALF_OPEN', 'CLOSED']

/** The circuits of a process, each put here by whoever makes it. */
export class CircuitBoard {
  readonly #entries = new Map<string, Entry>()

  /** `name` is unique within the store: a new circuit takes the place of the one before. */
  put(name: string, entry: Entry): void {
    this.#entries.set(`${entry.store}:${name}`, entry)
  }

  /** The worst that is known of a store. Its sandbox counts only where nothing else was asked. */
  healthOf(store: string, now: number): StoreHealth {
    const used = [...this.#entries.values()].filter((one) => one.store === store && wasUsed(one.circuit.state))
    const real = used.filter(({ isSandbox }) => !isSandbox)
    const states = (real.length > 0 ? real : used).map(({ circuit }) => circuit.state)
    const known = states.map((state) => (isStale(state, now) ? 'CLOSED' : circuitStatus(state, now)))
    const oks = states.flatMap(({ lastOkAt }) => lastOkAt ?? [])
    return {
      store,
      circuit: WORST_FIRST.find((status) => known.includes(status)) ?? 'CLOSED',
      lastOkAt: oks.length === 0 ? null : Math.max(...oks),
    }
  }
}

const wasUsed = ({ failures, lastOkAt }: CircuitState): boolean => failures > 0 || lastOkAt !== null

const isStale = ({ openedAt }: CircuitState, now: number): boolean => openedAt !== null && now - openedAt >= STALE_MS
