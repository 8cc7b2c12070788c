import { toIso } from '../../base/lib/time'
import type { EventRow } from '../../people/events/feed'

/** A longer body is never sent. */
export const MAX_BODY_BYTES = 256 * 1024

/**
 * The body of an event in the standard format (wire 5.10). A body over 256 KiB loses `before`, and when that is not
 * enough `after`; both are null then, and `truncated` names them. Null when even that is too long.
 */
export function standardBody(event: EventRow): string | null {
  for (const left of [[], ['before'], ['before', 'after']] as const) {
    const body = JSON.stringify(contentOf(event, left))
    if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return body
  }
  return null
}

const contentOf = (event: EventRow, left: readonly ('before' | 'after')[]) => ({
  id: event.id,
  type: event.type,
  timestamp: toIso(event.occurredAt),
  projectId: event.projectId,
  subscriberId: event.subscriberId,
  seq: event.seq,
  data: {
    appUserId: event.appUserId,
    environment: event.environment,
    cause: event.cause,
    before: left.includes('before') ? null : event.before,
    after: left.includes('after') ? null : event.after,
    ...event.data,
    ...(left.length > 0 && { truncated: left }),
  },
})
