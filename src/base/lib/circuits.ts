import { type CircuitBreaker, type CircuitState, type CircuitStatus, circuitStatus } from './circuit'
import { HOUR } from './clock'

/** Results of the calls to a store, over all circuits of this process. */
export interface StoreHealth {
  store: string
  circuit: CircuitStatus
  /** Instant of the last successful answer, milliseconds UTC; null = none since the start. */
  lastOkAt: number | null
}

interface Entry {
  store: string
  /** Whether the circuit is for the test environment of the store, which fails often. */
  isSandbox: boolean
  circuit: CircuitBreaker
}

/** An open circuit without a call for this long no longer counts as open. */
const STALE_MS = HOUR

const WORST_FIRST: readonly CircuitStatus[] = ['OPEN', 'HALF_OPEN', 'CLOSED']

/** All circuits of a process. The code that creates a circuit adds it here. */
export class CircuitBoard {
  readonly #entries = new Map<string, Entry>()

  /** `name` is unique within the store. A new circuit replaces the older one of the same name. */
  put(name: string, entry: Entry): void {
    this.#entries.set(`${entry.store}:${name}`, entry)
  }

  /**
   * The worst status of a store's circuits, or of the one with a name. The sandbox counts only when no other environment
   * was called.
   */
  healthOf(store: string, now: number, name: string | null = null): StoreHealth {
    const named = name === null ? [...this.#entries.values()] : [this.#entries.get(`${store}:${name}`)]
    const used = named
      .filter((one) => one !== undefined)
      .filter((one) => one.store === store && wasUsed(one.circuit.state))
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
