import { DAY } from '../../base/lib/clock'
import { SESSION_EVENT_TYPES, type SessionEvent } from './session-event'

// Events are stored as JSON, so that both databases can read single ones: a list of `[type, millisecond of the day,
// duration, version]`, without zeros at the end. The type and the version are places in lists: `SESSION_EVENT_TYPES`,
// and the list of versions beside the events, whose entries are `[appVersion, sdkVersion]`.

export interface PackText {
  events: string
  versions: string
}

type Version = [appVersion: string | null, sdkVersion: string | null]

export function writePack(events: readonly SessionEvent[]): PackText {
  const places = new Map<string, number>()
  const versions: Version[] = []
  const written = events.map((event) => {
    const version: Version = [event.appVersion, event.sdkVersion]
    const text = JSON.stringify(version)
    const place = places.get(text) ?? versions.push(version) - 1
    places.set(text, place)
    const type = SESSION_EVENT_TYPES.indexOf(event.type)
    return withoutZeros([type, event.occurredAt % DAY, event.durationMs, place])
  })
  const isNamed = versions.some((version) => version.some((text) => text !== null))
  return { events: JSON.stringify(written), versions: isNamed ? JSON.stringify(versions) : '[]' }
}

const withoutZeros = (numbers: number[]): number[] =>
  numbers.slice(0, numbers.findLastIndex((number, index) => index < 2 || number !== 0) + 1)

export function readPack(day: number, { events, versions }: PackText): SessionEvent[] {
  const known = JSON.parse(versions) as Version[]
  return (JSON.parse(events) as number[][]).map(([type = 0, at = 0, durationMs = 0, place = 0]) => {
    const [appVersion, sdkVersion] = known[place] ?? [null, null]
    return { type: SESSION_EVENT_TYPES[type] ?? 'open', occurredAt: day * DAY + at, durationMs, appVersion, sdkVersion }
  })
}

/** How many events a pack has. */
export const countPacked = (events: string): number => (JSON.parse(events) as unknown[]).length
