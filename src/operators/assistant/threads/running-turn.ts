import type { AppError } from '../../../base/errors'
import { MINUTE } from '../../../base/lib/clock'

/** A lock that is older than any turn can be belongs to a process that has ended. */
export const LONGEST_LOCK_MS = 5 * MINUTE

/** One event of a stream, numbered from 1. */
export interface TurnEvent {
  id: number
  event: 'start' | 'delta' | 'tool' | 'intent' | 'notice' | 'error' | 'done'
  data: object
}

/** Why an answer is ended: a person stops it, the process ends, or a person whom it may name was erased. */
export type TurnEnding = 'STOPPED' | 'INTERRUPTED' | 'ERASED'

/** An answer while it is written. Everybody who follows it gets all of its events. */
export class RunningTurn {
  private readonly events: TurnEvent[] = []
  private readonly followers = new Set<() => void>()
  private readonly ending = new AbortController()
  private hasEnded = false

  constructor(
    readonly threadId: string,
    readonly messageId: string,
  ) {}

  /** Aborted when the turn shall end. */
  get signal(): AbortSignal {
    return this.ending.signal
  }

  /** Why it was ended; null = it was not. */
  ended: TurnEnding | null = null

  /** What it was refused with; null = it was not. */
  refusal: AppError | null = null

  stop(why: TurnEnding): void {
    this.ended ??= why
    this.ending.abort()
  }

  emit(event: TurnEvent['event'], data: object): void {
    this.events.push({ id: this.events.length + 1, event, data })
    this.wake()
  }

  end(): void {
    this.hasEnded = true
    this.wake()
  }

  /** The events after one of them, until the turn has ended. */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<TurnEvent> {
    for (let next = after; ; ) {
      const event = this.events[next]
      if (event) {
        next++
        yield event
      } else if (this.hasEnded || signal.aborted) return
      else await this.changed(signal)
    }
  }

  private changed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.followers.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    return promise
  }

  private wake(): void {
    for (const follower of this.followers) follower()
    this.followers.clear()
  }
}
