import { MINUTE, SECOND } from '../../base/lib/clock'
import { inParallel } from '../../base/lib/parallel'
import type { EventRow } from '../../people/events/feed'
import { type EventPage, type EventSource, type FeedStart, SourceAway } from './source'

/** The result of one attempt to deliver an event. */
export interface Attempt {
  /** Null when no answer came. */
  statusCode: number | null
  durationMs: number
  /** Why it is no success; null when it is one. */
  error: string | null
  /** Whether no later attempt can end otherwise. */
  isFinal: boolean
}

export interface AttemptReport extends Attempt {
  event: EventRow
  /** 1 for the first. */
  attempt: number
  /** When the next attempt starts, in milliseconds from now; null = there is none. */
  nextInMs: number | null
}

/** What the person who listens gets to see. */
export interface Report {
  attempted(attempt: AttemptReport): void
  /** The source does not answer. Called once until it answers again. */
  away(sentence: string): void
  back(): void
}

export interface Listening {
  source: EventSource
  /** Where the first page started. */
  start: FeedStart
  first: EventPage
  deliver(event: EventRow): Promise<Attempt>
  report: Report
  /** Resolves after the time, and at once when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  stop: AbortSignal
}

export interface Tally {
  delivered: number
  failed: number
  /** All events before this place have been dealt with. */
  end: FeedStart
}

/** How long one reading waits for events. */
const READ_MS = 25 * SECOND

/** Delivers the events of a source until a stop signal. A failure that another try cannot change is thrown. */
export async function listen(listening: Listening): Promise<Tally> {
  const tally: Tally = { delivered: 0, failed: 0, end: listening.start }
  for (let page: EventPage | null = listening.first; page; page = await nextPage(listening, tally.end)) {
    if (!(await deliverPage(listening, page, tally))) break
    tally.end = { cursor: page.cursor }
  }
  return tally
}

const FIRST_PAUSE_MS = SECOND
const LONGEST_PAUSE_MS = MINUTE / 2

/** Null after a stop signal. A source that does not answer is read again, at growing intervals, without an end. */
async function nextPage({ source, report, wait, stop }: Listening, from: FeedStart): Promise<EventPage | null> {
  for (let failures = 0; !stop.aborted; failures++) {
    try {
      const page = await source.next(from, failures === 0 ? READ_MS : 0, stop)
      if (failures > 0) report.back()
      return stop.aborted ? null : page
    } catch (error) {
      if (stop.aborted) break
      if (!(error instanceof SourceAway)) throw error
      if (failures === 0) report.away(error.message)
      await wait(Math.max(error.retryAfterMs, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)), stop)
    }
  }
  return null
}

const WIDTH = 4

/** Delivers each subscriber's events one after the other. False after a stop signal before the last one. */
async function deliverPage(listening: Listening, { events }: EventPage, tally: Tally): Promise<boolean> {
  let left = events.length
  const bySubscriber = Map.groupBy(events, ({ subscriberId }) => subscriberId)
  await inParallel([...bySubscriber.values()], WIDTH, async (own) => {
    for (const event of own) if (await deliverEvent(listening, event, tally)) left--
  })
  return left === 0
}

/** The pauses before the three repetitions of a delivery that failed. */
const PAUSES_MS = [SECOND / 2, SECOND, 2 * SECOND]

/** False after a stop signal before the event is delivered or given up. */
async function deliverEvent(listening: Listening, event: EventRow, tally: Tally): Promise<boolean> {
  const { deliver, report, wait, stop } = listening
  for (let attempt = 1; !stop.aborted; attempt++) {
    const result = await deliver(event)
    const isDelivered = result.error === null
    // What ended because of the stop says nothing about the receiver.
    if (stop.aborted && !isDelivered) return false
    const nextInMs = isDelivered || result.isFinal ? null : (PAUSES_MS[attempt - 1] ?? null)
    report.attempted({ ...result, event, attempt, nextInMs })
    if (isDelivered) tally.delivered++
    else if (nextInMs === null) tally.failed++
    if (nextInMs === null) return true
    await wait(nextInMs, stop)
  }
  return false
}

/** The same for the process: resolves after the time, and at once when the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
}
