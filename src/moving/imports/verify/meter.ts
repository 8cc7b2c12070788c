import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../base/context'
import { HOUR, SECOND } from '../../../base/lib/clock'
import type { Store } from '../../../stores/observation'

/** The stores that can be asked. */
export type AskedStore = Exclude<Store, 'MANUAL'>

/** Waits; ends early, without an error, when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** The most calls to stores of one run, and how long it lasts (wire 5.16). */
export const MAX_CALLS = 10_000
const MAX_MS = 6 * HOUR

/** Between two calls to one store. Google allows 3000 a minute for the whole app, and the other stores more. */
const GAP_MS = 200
/** How often and how many times a run looks whether the circuit of a store is closed again. */
const CIRCUIT_PAUSE_MS = 15 * SECOND
const CIRCUIT_PAUSES = 20

/** Why a run stops before its end. `CANCELLED`: the job is no longer being verified. `STOPPED`: by the caller. */
export type EndReason = 'CALLS' | 'TIME' | 'STOPPED' | 'CANCELLED' | 'AWAY'

/** Ends a run from within. Records so far stay. */
export class RunEnds extends Error {
  constructor(readonly reason: EndReason) {
    super(`the verification ends: ${reason}`)
  }
}

interface Parts {
  ctx: Context
  signal: AbortSignal
  wait?: Wait | undefined
  maxCalls?: number | undefined
}

/** Counts and spaces the calls of a run, over all stores. */
export class Meter {
  #calls = 0
  readonly #nextAt = new Map<AskedStore, number>()
  readonly #until: number
  readonly #max: number
  readonly #wait: Wait
  readonly signal: AbortSignal

  constructor(private readonly parts: Parts) {
    this.#until = parts.ctx.clock.now() + MAX_MS
    this.#max = parts.maxCalls ?? MAX_CALLS
    this.#wait = parts.wait ?? waitInRealTime
    this.signal = parts.signal
  }

  get calls(): number {
    return this.#calls
  }

  /** Throws `RunEnds` when the budget is used up or the run was stopped. */
  check(): void {
    if (this.signal.aborted) throw new RunEnds('STOPPED')
    if (this.#calls >= this.#max) throw new RunEnds('CALLS')
    if (this.parts.ctx.clock.now() >= this.#until) throw new RunEnds('TIME')
  }

  /** Before each call: waits for its turn. `circuit` is the name of the store's circuit. */
  async begin(store: AskedStore, circuit: string): Promise<void> {
    await this.#whileOpen(store, circuit)
    const now = this.parts.ctx.clock.now()
    const at = Math.max(now, this.#nextAt.get(store) ?? now)
    this.#nextAt.set(store, Math.min(at, now + GAP_MS) + GAP_MS)
    if (at > now) await this.pause(Math.min(at - now, GAP_MS))
    this.check()
    this.#calls += 1
  }

  /** Counts a call that another one has made by itself. */
  add(calls: number): void {
    this.#calls += calls
  }

  /** Throws `RunEnds` instead of waiting beyond the time of the run. */
  async pause(ms: number): Promise<void> {
    this.check()
    if (this.parts.ctx.clock.now() + ms >= this.#until) throw new RunEnds('TIME')
    await this.#wait(ms, this.signal)
    if (this.signal.aborted) throw new RunEnds('STOPPED')
  }

  /** Receipts of the app use the same circuit, so an open one is left alone until it has closed or allows a trial. */
  async #whileOpen(store: AskedStore, circuit: string): Promise<void> {
    const { ctx } = this.parts
    for (let pauses = 0; ctx.circuits.healthOf(store, ctx.clock.now(), circuit).circuit === 'OPEN'; pauses++) {
      if (pauses === CIRCUIT_PAUSES) throw new RunEnds('AWAY')
      await this.pause(CIRCUIT_PAUSE_MS)
    }
  }
}

const waitInRealTime: Wait = async (ms, signal) => {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // The signal ended it.
  }
}
