import { MINUTE } from './clock'

export type CircuitStatus = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** How calls to one party have gone of late. Instants are milliseconds UTC. */
export interface CircuitState {
  /** Failures in a row. */
  failures: number
  /** When the last failure in a row opened it; null while closed. */
  openedAt: number | null
  /** When the one call that tries a half-open circuit began; null = none is under way. */
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

/** The state with a call begun, or null when the circuit lets none through: a half-open one tries one at a time. */
export function beginCall(state: CircuitState, now: number): CircuitState | null {
  const status = circuitStatus(state, now)
  if (status === 'CLOSED') return state
  // A call that never told how it went must not keep the circuit shut for good.
  const isProbing = state.probedAt !== null && !hasElapsed(state.probedAt, now)
  return status === 'OPEN' || isProbing ? null : { ...state, probedAt: now }
}

export const afterSuccess = (now: number): CircuitState => ({ ...NEW_CIRCUIT, lastOkAt: now })

/** The fifth failure in a row opens the circuit, a failure while half-open opens it anew. */
export function afterFailure(state: CircuitState, now: number): CircuitState {
  const failures = state.failures + 1
  if (circuitStatus(state, now) === 'OPEN') return { ...state, failures }
  return { ...state, failures, openedAt: failures >= FAILURES_TO_OPEN ? now : null, probedAt: null }
}

/** Milliseconds until an open circuit tries again; 0 when it lets calls through now. */
export function openForMs(state: CircuitState, now: number): number {
  if (beginCall(state, now)) return 0
  const since = circuitStatus(state, now) === 'OPEN' ? state.openedAt : state.probedAt
  return Math.max(0, (since ?? now) + OPEN_MS - now)
}

// In either direction: a clock set back must not lengthen the wait.
const hasElapsed = (since: number, now: number): boolean => Math.abs(now - since) >= OPEN_MS

/** Keeps callers away from a party that fails: five failures in a row, then a minute of rest, then one call to try. */
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

  /** Whether a call may go out; one that does must be followed by `succeed` or `fail`. */
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

  /** Milliseconds until it tries again; 0 when it lets calls through. */
  openForMs(now: number): number {
    return openForMs(this.#state, now)
  }
}
