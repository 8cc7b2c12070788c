import { expect } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'

// What wire 4.3 and 5.10 say of deliveries, written down once more and without the product's code: what a receiver saw is
// held against it.

/** The waits before the ten attempts. */
const WAITS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
const JITTER = 0.1
const LEASE_MS = 60 * SECOND
const MOST_RETRY_AFTER_MS = 24 * HOUR

/** One attempt, as the receiver saw it. */
export interface Seen {
  eventId: string
  /** The instant of the clock. */
  at: number
  /** Place among all beginnings and ends of attempts. */
  begin: number
  end: number
  /** Null for an attempt that threw before anything was sent. */
  status: number | null
  /** What `Retry-After` of the answer means, as an instant; null without one. */
  retryAt: number | null
  /** Its process ended before it could save the outcome. */
  isLost: boolean
}

export interface Occurrence {
  id: string
  subscriberId: string | null
  /** The first instant at which everything due was sent after it had been recorded. */
  turnedAt: number
}

export interface Endpoint {
  isOrdered: boolean
  /** The instants at which everything due was sent, in their order. */
  turns: readonly number[]
  seen: readonly Seen[]
}

export type End = { status: 'SUCCEEDED' | 'DEAD'; at: number; place: number }

/** How far a delivery has come by its attempts. */
interface Life {
  attempts: number
  /** When the next attempt is due, at the earliest and at the latest. */
  due: readonly [number, number]
  end: End | null
}

/** Whether the receiver said that it wants nothing any more, and when. */
export const goneAt = ({ seen }: Endpoint): number =>
  Math.min(...seen.filter(({ status, isLost }) => status === 410 && !isLost).map(({ at }) => at))

/** Holds all attempts of one delivery against the schedule. Returns how it stands in the end. */
export function checkDelivery(endpoint: Endpoint, { id, turnedAt }: Occurrence, behind: End | null): Life {
  const own = endpoint.seen.filter(({ eventId }) => eventId === id)
  const from = Math.max(turnedAt, behind?.at ?? 0)
  let life: Life = { attempts: 0, due: [from, from], end: null }
  for (const one of own) {
    expect(life.end, `${id} was sent again after its end`).toBeNull()
    expect(one.at, `${id} was sent too early`).toBeGreaterThanOrEqual(life.due[0])
    expectNoTurnMissed(endpoint, life, one.at, id)
    life = after(life, one)
  }
  if (!life.end) expectNoTurnMissed(endpoint, life, Number.POSITIVE_INFINITY, id)
  return life
}

/** Between the moment at which an attempt is due for certain and its beginning there is no turn that did not make it. */
function expectNoTurnMissed(endpoint: Endpoint, { due: [, latest] }: Life, until: number, id: string): void {
  const end = Math.min(until, goneAt(endpoint))
  const missed = endpoint.turns.filter((turn) => turn >= latest && turn < end)
  expect(missed, `${id} was due at ${latest} and not sent`).toEqual([])
}

/** The outcome of one attempt (wire 5.10). */
function after({ attempts }: Life, { at, end, status, retryAt, isLost }: Seen): Life {
  if (isLost) return { attempts, due: [at + LEASE_MS, at + LEASE_MS], end: null }
  const made = attempts + 1
  const done = (as: End['status']): Life => ({ attempts: made, due: [at, at], end: { status: as, at, place: end } })
  if (status !== null && status >= 200 && status < 300) return done('SUCCEEDED')
  const wait = WAITS[made]
  if (status === 410 || wait === undefined) return done('DEAD')
  const pause = Math.min(retryAt ?? 0, at + MOST_RETRY_AFTER_MS)
  const dueAfter = (share: number) => Math.max(at + Math.floor(wait * share), pause)
  return { attempts: made, due: [dueAfter(1 - JITTER), dueAfter(1 + JITTER) + 1], end: null }
}

/** The deliveries of one endpoint, given the events that it should get. Returns the model's end of each. */
export function checkEndpoint(endpoint: Endpoint, occurrences: readonly Occurrence[]): Map<string, Life> {
  const lives = new Map<string, Life>()
  const latest = new Map<string, { end: End | null }>()
  for (const occurrence of occurrences) {
    const { id, subscriberId } = occurrence
    const before = endpoint.isOrdered && subscriberId !== null ? latest.get(subscriberId) : undefined
    if (before) expectAfter(endpoint, occurrence, before.end)
    // What waits for a delivery that has not ended is not due at all.
    const isWaiting = before !== undefined && before.end === null
    const life = isWaiting ? WAITING : checkDelivery(endpoint, occurrence, before?.end ?? null)
    lives.set(id, life)
    if (subscriberId !== null) latest.set(subscriberId, life)
  }
  expectNothingAfterGone(endpoint)
  expectPaced(endpoint, occurrences)
  return lives
}

const WAITING: Life = { attempts: 0, due: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], end: null }

/** On an ordered endpoint the next event begins only when the one before it has ended. */
function expectAfter({ seen }: Endpoint, { id }: Occurrence, before: End | null): void {
  const first = seen.find(({ eventId }) => eventId === id)
  if (!first) return
  expect(before, `${id} was sent while the event before it was open`).not.toBeNull()
  expect(first.begin, `${id} was sent before the one before it had ended`).toBeGreaterThan(before?.place ?? 0)
}

function expectNothingAfterGone(endpoint: Endpoint): void {
  const gone = goneAt(endpoint)
  expect(endpoint.seen.filter(({ at }) => at > gone)).toEqual([])
}

const MOST_AT_ONCE = 4

/** At most four attempts at once, and on an ordered endpoint one for each subscriber. */
function expectPaced({ isOrdered, seen }: Endpoint, occurrences: readonly Occurrence[]): void {
  const subscriberOf = new Map(occurrences.map(({ id, subscriberId }) => [id, subscriberId]))
  for (const one of seen) {
    const beside = seen.filter(({ begin, end }) => begin < one.begin && end > one.begin)
    expect(beside.length, 'attempts under way at once').toBeLessThan(MOST_AT_ONCE)
    const subscriberId = subscriberOf.get(one.eventId) ?? null
    if (!isOrdered || subscriberId === null) continue
    const same = beside.filter(({ eventId }) => subscriberOf.get(eventId) === subscriberId)
    expect(same, 'one subscriber, two attempts at once').toEqual([])
  }
}
