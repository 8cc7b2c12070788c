import { AppError } from '../../base/errors'
import { SECOND } from '../../base/lib/clock'

export interface SlotLimits {
  /** Notifications of one address that are read and processed at the same time (wire 6). */
  atWork: number
  /** Further ones of that address that wait, and the declared length of all their bodies. */
  waiting: number
  waitingBytes: number
  patienceMs: number
}

const LIMITS: SlotLimits = { atWork: 8, waiting: 1000, waitingBytes: 8 * 1024 * 1024, patienceMs: 10 * SECOND }

/** Seconds after which a refused notification is worth another try. */
const RETRY_SECONDS = 5

interface Waiter {
  bytes: number
  resolve: () => void
}

interface Sender {
  atWork: number
  /** In the order of arrival. */
  waiters: Set<Waiter>
}

/** Lets only a few notifications of one address be at work, so that one sender does not slow the others. */
export class WorkSlots {
  readonly #senders = new Map<string, Sender>()
  #isDraining = false

  constructor(private readonly limits: SlotLimits = LIMITS) {}

  /** Addresses with a notification at work. */
  get size(): number {
    return this.#senders.size
  }

  /**
   * Waits for a slot, and returns the function that gives it back. `bytes` is the declared length of the body. Throws
   * 429 when too many wait, or when no slot is free in time.
   */
  async enter(address: string, bytes: number, signal: () => AbortSignal): Promise<() => void> {
    const sender = this.#senders.get(address) ?? { atWork: 0, waiters: new Set() }
    this.#senders.set(address, sender)
    if (sender.atWork < this.limits.atWork || this.#isDraining) sender.atWork++
    else await this.wait(sender, bytes, signal())
    return () => this.leave(address, sender)
  }

  /** The server stops: those that wait may start, and no other waits any more. */
  drain(): void {
    this.#isDraining = true
    for (const sender of this.#senders.values()) {
      sender.atWork += sender.waiters.size
      for (const waiter of sender.waiters) start(sender, waiter)
    }
  }

  private async wait(sender: Sender, bytes: number, signal: AbortSignal): Promise<void> {
    if (!this.hasRoom(sender, bytes)) throw tooMany()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { bytes, resolve }
    const giveUp = () => {
      if (sender.waiters.delete(waiter)) reject(tooMany())
    }
    const timer = setTimeout(giveUp, this.limits.patienceMs)
    signal.addEventListener('abort', giveUp, { once: true })
    sender.waiters.add(waiter)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  private hasRoom({ waiters }: Sender, bytes: number): boolean {
    let waitingBytes = bytes
    for (const waiter of waiters) waitingBytes += waiter.bytes
    return waiters.size < this.limits.waiting && waitingBytes <= this.limits.waitingBytes
  }

  /** Gives the slot to the one that has waited longest. */
  private leave(address: string, sender: Sender): void {
    const [next] = sender.waiters
    if (next) start(sender, next)
    else if (--sender.atWork === 0) this.#senders.delete(address)
  }
}

function start({ waiters }: Sender, waiter: Waiter): void {
  waiters.delete(waiter)
  waiter.resolve()
}

const tooMany = (): AppError =>
  new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS }, { retryAfter: RETRY_SECONDS })
