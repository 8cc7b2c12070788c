import { MINUTE } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'

const KEPT_MS = MINUTE
const MAX_TOKENS = 10_000
/** A token may be asked about under several names; the others are asked about again. */
const MAX_NAMES = 20

interface Refusal {
  /** What the token was asked for: `SUBSCRIPTION`, or a one-time product. */
  names: string[]
  at: number
}

/**
 * The tokens that Google has lately called unknown, for one minute each: the same made-up token again asks Google
 * nothing. It belongs to one client, so it is forgotten with the credentials; a notification about a token forgets it.
 */
export class RefusedTokens {
  readonly #refusals = new Map<string, Refusal>()

  get size(): number {
    return this.#refusals.size
  }

  has(token: string, name: string, now: number): boolean {
    const refusal = this.#refusals.get(sha256Hex(token))
    // Both directions count: after the clock was set back the minute must not be longer.
    return refusal !== undefined && Math.abs(now - refusal.at) < KEPT_MS && refusal.names.includes(name)
  }

  /** When the memory is full, the token that was refused first is removed. */
  add(token: string, name: string, now: number): void {
    const key = sha256Hex(token)
    const { names, at } = this.#refusals.get(key) ?? { names: [], at: now }
    const isOver = Math.abs(now - at) >= KEPT_MS
    this.#refusals.delete(key)
    // The minute of the first name counts for all, so that none is kept for longer.
    this.#refusals.set(key, isOver ? { names: [name], at: now } : { names: [...names, name].slice(-MAX_NAMES), at })
    const [oldest] = this.#refusals.keys()
    if (this.#refusals.size > MAX_TOKENS && oldest !== undefined) this.#refusals.delete(oldest)
  }

  forget(token: string): void {
    this.#refusals.delete(sha256Hex(token))
  }
}
