import type { Kit } from '../../base/db/kit'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { EventCause } from './model'

export const eventTables = (k: Kit) => ({
  events: k.table(
    'events',
    {
      position: k.serial(),
      id: k.str().notNull(),
      projectId: k.str().notNull(),
      subscriberId: k.str(),
      /** Gapless per subscriber; null for project-level events. */
      seq: k.int(),
      type: k.str().notNull(),
      appUserId: k.str(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      occurredAt: k.int().notNull(),
      recordedAt: k.int().notNull(),
      cause: k.json<EventCause>().notNull(),
      before: k.json<unknown>(),
      after: k.json<unknown>(),
      data: k.json<Record<string, unknown>>().notNull(),
    },
    (t) => [
      k.unique('events_id').on(t.id),
      k.unique('events_seq').on(t.subscriberId, t.seq),
      k.index('events_feed').on(t.projectId, t.position),
    ],
  ),
})

type EventTables = ReturnType<typeof eventTables>

declare module '../../base/db/tables' {
  interface Tables extends EventTables {}
}
