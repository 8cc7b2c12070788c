import { type Clock, MINUTE } from './clock'

export type CircuitStatus = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** Results of the latest calls to one remote system. Instants are milliseconds UTC. */
export interface CircuitState {
  /** Number of failures in a row. */
  failures: number
  /** Instant of the failure that opened the circuit; null while it is closed. */
  openedAt: number | null
  /** Start of the one test call of a half-open circuit; null = no test call is running. */
  probedAt: number | null
  lastOkAt: number | null
}

export const FAILURES_TO_OPEN = 5
export const OPEN_MS = MINUTE

export const NEW_CIRCUIT: CircuitState = { failures: 0, openedAt: null, probedAt: null, lastOkAt: null }

export function circuitStatus({ openedAt }: CircuitState, now: number): CircuitStatus {
  if (openedAt === null) return 'CLOSED'
  return hasElapsed(openedAt, now) ? 'HALF_OPEN' : 'OPEN'
}

/**
 * The state after a call has started; null when the circuit allows no call. A half-open circuit allows one call at a
 * time.
 */
export function beginCall(state: CircuitState, now: number): CircuitState | null {
  const status = circuitStatus(state, now)
  if (status === 'CLOSED') return state
  // A test call whose result never arrived must not block the circuit for ever.
  const isProbing = state.probedAt !== null && !hasElapsed(state.probedAt, now)
  return status === 'OPEN' || isProbing ? null : { ...state, probedAt: now }
}

export const afterSuccess = (now: number): CircuitState => ({ ...NEW_CIRCUIT, lastOkAt: now })

/** The fifth failure in a row opens the circuit. A failure while half-open opens it again. */
export function afterFailure(state: CircuitState, now: number): CircuitState {
  const failures = state.failures + 1
  if (circuitStatus(state, now) === 'OPEN') return { ...state, failures }
  return { ...state, failures, openedAt: failures >= FAILURES_TO_OPEN ? now : null, probedAt: null }
}

/** Milliseconds until an open circuit allows the next call; 0 when it allows one now. */
export function openForMs(state: CircuitState, now: number): number {
  if (beginCall(state, now)) return 0
  const since = circuitStatus(state, now) === 'OPEN' ? state.openedAt : state.probedAt
  return Math.max(0, (since ?? now) + OPEN_MS - now)
}

// The difference counts in both directions: a clock that was set back must not lengthen the wait.
const hasElapsed = (since: number, now: number): boolean => Math.abs(now - since) >= OPEN_MS

/**
 * Stops calls to a remote system that fails: after five failures in a row it allows none for a minute, then one test
 * call.
 */
export class CircuitBreaker {
  #state = NEW_CIRCUIT

  get state(): CircuitState {
    return this.#state
  }

  get lastOkAt(): number | null {
    return this.#state.lastOkAt
  }

  statusAt(now: number): CircuitStatus {
    return circuitStatus(this.#state, now)
  }

  /** Whether a call may start. After `true` the caller must call `succeed` or `fail`. */
  tryBegin(now: number): boolean {
    const begun = beginCall(this.#state, now)
    if (begun) this.#state = begun
    return begun !== null
  }

  succeed(now: number): void {
    this.#state = afterSuccess(now)
  }

  fail(now: number): void {
    this.#state = afterFailure(this.#state, now)
  }

  /** Milliseconds until the next call is allowed; 0 when one is allowed now. */
  openForMs(now: number): number {
    return openForMs(this.#state, now)
  }
}

interface Guarded<Result> {
  circuit: CircuitBreaker
  clock: Clock
  /** The result while the circuit allows no call. */
  whenOpen: Result
  /** Whether a result counts as a failure of the remote system. */
  isOutage: (result: Result) => boolean
}

/** Makes a call, unless the circuit is open, and gives its result to the circuit. */
export async function throughCircuit<Result>(
  { circuit, clock, whenOpen, isOutage }: Guarded<Result>,
  call: () => Promise<Result>,
): Promise<Result> {
  if (!circuit.tryBegin(clock.now())) return whenOpen
  let hasFailed = true
  try {
    const result = await call()
    hasFailed = isOutage(result)
    return result
  } finally {
    if (hasFailed) circuit.fail(clock.now())
    else circuit.succeed(clock.now())
  }
}
