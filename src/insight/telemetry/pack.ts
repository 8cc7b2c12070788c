import { minuteOf } from './pack-key'
import { identityOf, playTimeOf, type SessionEvent } from './session-event'

/**
 * Session events of one subject that happened in one part of a UTC day: from its first minute until the next pack of
 * that day starts. The first pack of a day starts at minute 0.
 */
export interface Pack {
  minute: number
  events: SessionEvent[]
}

/** A longer pack is divided at a minute, so that adding to it stays cheap. */
const LONGEST = 256
/** A pack of one minute, and of a day that has `MOST_PACKS`, cannot be divided: here it takes no more. */
const MOST_EVENTS = 4096
export const MOST_PACKS = 64

export interface Added {
  /** The packs that must be written. */
  changed: Pack[]
  saved: SessionEvent[]
  repeated: number
  /** Events for which the day has no room: no device has so many sessions. */
  refused: number
}

/**
 * Adds events of one day to the packs of that day, which are in the order of their minutes. Equal events are kept once.
 * `packs` need only hold the packs into which the events fall; `packCount` is the number of all packs of the day.
 */
export function addToPacks(packs: readonly Pack[], events: readonly SessionEvent[], packCount: number): Added {
  const filled = new Fill(packs)
  for (const event of events) filled.add(event)
  const changed: Pack[] = []
  let count = Math.max(packCount, filled.packs.length)
  for (const pack of filled.touched) {
    const parts = divide(pack, MOST_PACKS - count)
    count += parts.length - 1
    changed.push(...parts)
  }
  const { saved, repeated, refused } = filled
  return { changed, saved, repeated, refused }
}

class Fill {
  readonly packs: Pack[]
  readonly touched = new Set<Pack>()
  readonly saved: SessionEvent[] = []
  repeated = 0
  refused = 0
  private readonly known = new Map<Pack, Set<string>>()

  constructor(packs: readonly Pack[]) {
    this.packs = packs.map(({ minute, events }) => ({ minute, events: [...events] }))
  }

  add(event: SessionEvent): void {
    const pack = this.packFor(minuteOf(event.occurredAt))
    const known = this.knownOf(pack)
    const identity = identityOf(event)
    if (known.has(identity)) {
      this.repeated++
    } else if (pack.events.length >= MOST_EVENTS) {
      this.refused++
    } else {
      known.add(identity)
      pack.events.push(event)
      this.touched.add(pack)
      this.saved.push(event)
    }
  }

  private packFor(minute: number): Pack {
    const found = this.packs.findLast((pack) => pack.minute <= minute)
    if (found) return found
    const first: Pack = { minute: 0, events: [] }
    this.packs.unshift(first)
    return first
  }

  private knownOf(pack: Pack): Set<string> {
    const known = this.known.get(pack) ?? new Set(pack.events.map(identityOf))
    this.known.set(pack, known)
    return known
  }
}

/** Divides a pack that is too long into two, and those again, while more packs are allowed. */
function divide(pack: Pack, allowed: number): Pack[] {
  const boundary = pack.events.length > LONGEST && allowed > 0 ? boundaryOf(pack) : null
  if (boundary === null) return [pack]
  const isEarly = ({ occurredAt }: SessionEvent) => minuteOf(occurredAt) < boundary
  const early = { minute: pack.minute, events: pack.events.filter(isEarly) }
  const late = { minute: boundary, events: pack.events.filter((event) => !isEarly(event)) }
  const first = divide(early, allowed - 1)
  return [...first, ...divide(late, allowed - first.length)]
}

/** The minute that divides the events most evenly; null when all are of one minute. */
function boundaryOf({ events }: Pack): number | null {
  const minutes = events.map(({ occurredAt }) => minuteOf(occurredAt)).sort((a, b) => a - b)
  const [first = 0] = minutes
  const middle = minutes[Math.floor(minutes.length / 2)] ?? 0
  if (middle > first) return middle
  return minutes.find((minute) => minute > first) ?? null
}

/** What the rows of packs say about their events, so that figures need not read the events themselves. */
export interface PackFigures {
  opens: number
  /** Events with a duration. */
  timed: number
  playMs: number
}

export function figuresOf(events: readonly SessionEvent[]): PackFigures {
  const figures = { opens: 0, timed: 0, playMs: 0 }
  for (const event of events) {
    if (event.type === 'open') figures.opens++
    if (event.durationMs > 0) figures.timed++
    figures.playMs += playTimeOf(event)
  }
  return figures
}
