import type { Context } from '../../base/context'
import { integerAt, type Position } from '../../base/http/list'
import { type ScannedPage, scanRows } from '../../base/http/scan'
import { type EventRow, eventsAt } from '../../people/events/feed'
import { isOneOfTypes } from '../../people/events/feed-types'
import { type EventHead, listHeads } from '../../people/events/range-queries'

export interface EventFilter {
  projectId: string
  /** As in the feed; empty = all. */
  types: readonly string[]
  subscriberId: string | null
}

/** How many events one request reads at most to find those that pass the filters. */
const MOST_READ = 5000

/** A page of a project's kept events, newest first. */
export async function listEvents(
  ctx: Context,
  filter: EventFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<EventRow>> {
  const isListed = ({ projectId, type }: EventHead) =>
    projectId === filter.projectId && isOneOfTypes(filter.types, type)
  const { rows, next } = await scanRows<EventHead>(
    {
      positionOf: ({ place }) => [place],
      read: (after, limit) => listHeads(ctx, filter, after && integerAt(after, 0), limit),
    },
    { ...page, most: MOST_READ, keep: async (heads) => heads.filter(isListed) },
  )
  const events = await eventsAt(
    ctx,
    rows.map(({ position }) => position),
  )
  return { next, rows: events.toSorted((a, b) => b.position - a.position) }
}
