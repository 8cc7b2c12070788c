import type { EventRow } from '../../people/events/feed'

/** Where reading starts: after a cursor, or with the events recorded at or after an instant. */
export type FeedStart = { cursor: string } | { since: number }

export interface EventPage {
  /** In the order of commits; empty when nothing happened for a while. */
  events: readonly EventRow[]
  /** The next page starts here. */
  cursor: string
}

/** Where the events of one project come from. */
export interface EventSource {
  /** The project, as the head of the output names it. */
  readonly project: string
  /**
   * Waits up to `waitMs` for events. Throws a `SourceAway` when asking again later may help, and otherwise a failure
   * that ends the command.
   */
  next(start: FeedStart, waitMs: number, signal: AbortSignal): Promise<EventPage>
  /** The secret that signs; null where the source has none, so that one is made for this run. */
  secret(signal: AbortSignal): Promise<string | null>
  close?(): void
}

/** The source does not answer now. */
export class SourceAway extends Error {
  constructor(
    /** A full sentence. */
    message: string,
    /** The source asked for this pause. */
    readonly retryAfterMs = 0,
  ) {
    super(message)
  }
}

/** After every event that there can be, so that only new events follow. */
export const FROM_NOW = { since: 253402300799999 } as const

export const PAGE_LIMIT = 100
