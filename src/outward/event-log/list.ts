import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { integerAt, type Position } from '../../base/http/list'
import { orNull } from '../../base/http/object-answer'
import { type ScannedPage, scanRows } from '../../base/http/scan'
import { type EventRow, eventsAt } from '../../people/events/feed'
import { isOneOfTypes } from '../../people/events/feed-types'
import { EventSchema, toEventView } from '../../people/events/feed-wire'
import { type EventHead, listHeads } from '../../people/events/range-queries'
import { type Named, namedPage, PersonRefSchema } from '../../people/purchases/person-ref'
import type { PurchaseEnvironment } from '../../stores/observation'

export interface EventFilter {
  projectId: string
  /** As in the feed; empty = all. */
  types: readonly string[]
  subscriberId: string | null
  /** Absent = both. */
  environment?: PurchaseEnvironment | undefined
}

/** How many events one request reads at most to find those that pass the filters. */
const MOST_READ = 5000

/** A page of a project's kept events, newest first, with who they are about. */
export async function listEvents(
  ctx: Context,
  filter: EventFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<Named<EventRow>>> {
  const isListed = ({ projectId, type, environment }: EventHead) =>
    projectId === filter.projectId &&
    isOneOfTypes(filter.types, type) &&
    (filter.environment === undefined || environment === filter.environment)
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
  return namedPage(ctx, filter.projectId, { next, rows: events.toSorted((a, b) => b.position - a.position) })
}

/** An event in the list, with who it is about. */
export const ListedEvent = Type.Object(
  { ...EventSchema.properties, person: orNull(PersonRefSchema) },
  { additionalProperties: false, title: 'ListedEvent' },
)

export const toListedEvent = ({ row, person }: Named<EventRow>) => ({ ...toEventView(row), person })
