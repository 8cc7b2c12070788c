import { AppError } from '../errors'
import { SECOND } from '../lib/clock'
import { ArrivingBody, type BodyRoom } from './arriving-body'

/** How much may be on its way at the same time, and for how long (wire 6). */
export interface BodyLimits {
  /** Of all unread bodies of the process together. */
  totalBytes: number
  /** From the first read of a body to its last byte. */
  patienceMs: number
}

const LIMITS: BodyLimits = { totalBytes: 64 * 1024 * 1024, patienceMs: 10 * SECOND }

/** The part of the budget that only small bodies may use, so that a few large ones cannot keep them all out. */
const SMALL_SHARE = 1 / 16

/** Counts the bytes of all request bodies that have not been read to their end. */
export class BodyBudget implements BodyRoom {
  #heldBytes = 0

  constructor(private readonly limits: BodyLimits = LIMITS) {}

  get patienceMs(): number {
    return this.limits.patienceMs
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** The body of a request whose head has arrived. The caller must end it. Throws 503 when there is no room. */
  expect(request: Request, maxBytes?: number): ArrivingBody {
    return new ArrivingBody(request, this, maxBytes)
  }

  take(bytes: number, isSmall: boolean): void {
    const { totalBytes } = this.limits
    const bound = isSmall ? totalBytes : totalBytes * (1 - SMALL_SHARE)
    if (this.#heldBytes + bytes > bound) throw noRoom()
    this.#heldBytes += bytes
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes
  }
}

const noRoom = (): AppError =>
  new AppError('QUEUE_UNAVAILABLE', undefined, {
    message: 'Too many request bodies are arriving at the same time; send this one again',
    retryAfter: 1,
  })
