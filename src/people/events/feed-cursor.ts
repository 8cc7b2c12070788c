import { sha256Hex } from '../../base/lib/hash'

/** Which events a reader of the feed gets. A cursor is valid for one filter of one project. */
export interface FeedFilter {
  projectId: string
  /** Event types; `purchase.*` matches all types with this prefix; empty = all types. */
  types: readonly string[]
  subscriberId: string | null
}

/**
 * How far a reader has read. `readUntil`: the reader has read every event recorded up to this instant. If retention has
 * deleted no event recorded later, the reader has missed none.
 */
export interface FeedMark {
  position: number
  readUntil: number
}

/** Opaque to clients: base64url of `evt:<position>:<instant>:<filter>`. */
export const writeCursor = ({ position, readUntil }: FeedMark, filter: FeedFilter): string =>
  Buffer.from(`evt:${position}:${readUntil}:${nameOf(filter)}`).toString('base64url')

const FORM = /^evt:(\d{1,15}):(\d{1,15}):([\da-f]{12})$/

/** Null when the text is no cursor, or a cursor of another filter or project. */
export function readCursor(text: string, filter: FeedFilter): FeedMark | null {
  const [, position, readUntil, name] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (position === undefined || readUntil === undefined || name !== nameOf(filter)) return null
  const mark = { position: Number(position), readUntil: Number(readUntil) }
  return writeCursor(mark, filter) === text ? mark : null
}

const nameOf = ({ projectId, types, subscriberId }: FeedFilter): string =>
  sha256Hex([projectId, subscriberId ?? '', ...new Set(types.toSorted())].join('\0')).slice(0, 12)
