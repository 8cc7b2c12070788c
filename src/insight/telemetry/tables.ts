import { isNotNull } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { HashedSignals } from '../../outward/integrations/provider'

export const telemetryTables = (k: Kit) => ({
  /** Session events, packed: usually one row for each subscriber and UTC day. `pack.ts` and `pack-key.ts` explain it. */
  sessionPacks: k.table(
    'session_packs',
    {
      key: k.int().primaryKey(),
      /** `number` of the project in `session_projects`. */
      project: k.int().notNull(),
      day: k.int().notNull(),
      opens: k.int().notNull(),
      /** Events with a duration. */
      timed: k.int().notNull(),
      playMs: k.int().notNull(),
      events: k.str().notNull(),
      versions: k.str().notNull(),
    },
    (t) => [k.index('session_packs_day').on(t.project, t.day)],
  ),
  /** Short numbers in place of the ids of projects. */
  sessionProjects: k.table('session_projects', { number: k.serial(), projectId: k.str().notNull() }, (t) => [
    k.unique('session_projects_id').on(t.projectId),
  ]),
  /** A short number in place of a subscriber's id, and totals that stay when old events are deleted. */
  sessionSubjects: k.table(
    'session_subjects',
    {
      number: k.serial(),
      subscriberId: k.str().notNull(),
      projectId: k.str().notNull(),
      opens: k.int().notNull(),
      playMs: k.int().notNull(),
      firstDay: k.int().notNull(),
      lastDay: k.int().notNull(),
    },
    (t) => [k.unique('session_subjects_subscriber').on(t.subscriberId)],
  ),
  /** Events of `POST /v1/events`. They are no part of the event feed and of no money figure. */
  clientEvents: k.table(
    'client_events',
    {
      position: k.serial(),
      projectId: k.str().notNull(),
      subscriberId: k.str(),
      /** As the caller named it. */
      eventId: k.str(),
      type: k.str().notNull(),
      occurredAt: k.int().notNull(),
      recordedAt: k.int().notNull(),
      productId: k.str(),
      /** A decimal number, as sent. */
      amount: k.str(),
      currency: k.str(),
      eventSourceUrl: k.str(),
      /** Hashes only; null when none was sent. */
      signals: k.json<HashedSignals | null>(),
    },
    (t) => [
      k.index('client_events_recorded').on(t.projectId, t.recordedAt),
      k.index('client_events_id').on(t.projectId, t.eventId, t.recordedAt).where(isNotNull(t.eventId)),
      k.index('client_events_subscriber').on(t.subscriberId).where(isNotNull(t.subscriberId)),
    ],
  ),
})

type TelemetryTables = ReturnType<typeof telemetryTables>

declare module '../../base/db/tables' {
  interface Tables extends TelemetryTables {}
}
