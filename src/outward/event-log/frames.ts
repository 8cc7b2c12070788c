import type { EventRow } from '../../people/events/feed'
import { toEventView } from '../../people/events/feed-wire'

// Server-sent events. The `id` of a frame is a cursor of the feed: reading goes on behind what was sent so far.

const frame = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n\n`)

export const eventFrame = (row: EventRow, cursor: string): Uint8Array =>
  frame(['event: event', `id: ${cursor}`, `data: ${JSON.stringify(toEventView(row))}`])

/** Names the present cursor and is no event: a client that leaves before the first event can go on from here. */
export const cursorFrame = (cursor: string): Uint8Array => frame([`id: ${cursor}`])

/** Sent regularly, so that no proxy closes an idle connection. */
export const pingFrame = (cursor: string | null): Uint8Array =>
  frame(['event: ping', ...(cursor === null ? [] : [`id: ${cursor}`]), 'data:'])
