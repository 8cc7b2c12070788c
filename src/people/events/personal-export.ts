import { and, asc, eq, gt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import type { OnExport } from '../subscribers/hooks'
import { toEventView } from './feed-wire'
import { columnsOf, type EventRow } from './queries'

/** For the data export of a person: every kept event, oldest first for each row. */
export const exportEvents: OnExport = (handle, _project, { ids }) => ({
  'events.jsonl': (async function* () {
    for (const id of ids)
      for await (const row of allRows(eventsOf(handle, id))) {
        const { projectId: _, ...event } = toEventView(row)
        yield event
      }
  })(),
})

const eventsOf =
  ({ db, tables: { events: e } }: Handle, subscriberId: string) =>
  (after: EventRow | null, limit: number): Promise<EventRow[]> =>
    db
      .select(columnsOf(e))
      .from(e)
      .where(and(eq(e.subscriberId, subscriberId), after === null ? undefined : gt(e.seq, after.seq ?? 0)))
      .orderBy(asc(e.seq))
      .limit(limit)
