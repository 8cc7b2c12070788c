import { sql } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { AttemptEntry, DeliveryKindName, DeliveryStatus, SkipReason } from './model'

/** How a target answered last: within a second and well (`QUICK`), not at all yet (`NEW`), or otherwise (`SLOW`). */
export type TargetHealth = 'QUICK' | 'NEW' | 'SLOW'

export const deliveryTables = (k: Kit) => ({
  deliveries: k.table(
    'deliveries',
    {
      position: k.serial(),
      id: k.str().notNull(),
      projectId: k.str().notNull(),
      kind: k.str().$type<DeliveryKindName>().notNull(),
      targetId: k.str().notNull(),
      /** `evt_…`; for a forward `sev_…`. */
      eventId: k.str(),
      /** The event's position in the feed; null for a delivery without an event. */
      eventPosition: k.int(),
      type: k.str().notNull(),
      seq: k.int(),
      subscriberId: k.str(),
      status: k.str().$type<DeliveryStatus>().notNull(),
      /** Attempts that have ended since the delivery was made or retried. */
      attempts: k.int().notNull(),
      /**
       * When an attempt may start; while one is under way, when its lease ends. Null when the delivery has ended, and
       * while it waits for an earlier one of its subscriber.
       */
      dueAt: k.int(),
      /** The place among the open deliveries of its target and subscriber; null when the delivery has ended. */
      openOrder: k.int(),
      /** Identifies the attempt that is under way. */
      leaseId: k.str(),
      lastStatusCode: k.int(),
      lastError: k.str(),
      skipReason: k.str().$type<SkipReason>(),
      isTest: k.bool().notNull(),
      /** What the sender needs where there is no event. */
      payload: k.str(),
      log: k.json<AttemptEntry[]>().notNull(),
      createdAt: k.int().notNull(),
      endedAt: k.int(),
    },
    (t) => [
      k.unique('deliveries_id').on(t.id),
      k.index('deliveries_due').on(t.targetId, t.dueAt),
      k.index('deliveries_order').on(t.targetId, t.subscriberId, t.openOrder),
      k.index('deliveries_open').on(t.projectId, t.openOrder),
      k.index('deliveries_list').on(t.projectId, t.kind, t.position),
      k.index('deliveries_target').on(t.targetId, t.position),
      k.index('deliveries_subscriber').on(t.subscriberId, t.position),
      // For the log of what did not go well. A delivery that succeeds at once is never in it. The condition stands word
      // for word in the queries of the log too.
      k
        .index('deliveries_trouble')
        .on(t.projectId, t.kind, t.status, t.position)
        .where(sql`status in ('FAILED', 'DEAD', 'DISMISSED', 'SKIPPED')`),
    ],
  ),
  /** One row for each webhook endpoint, integration and forward: what the dispatcher knows of it. */
  deliveryTargets: k.table(
    'delivery_targets',
    {
      targetId: k.str().primaryKey(),
      kind: k.str().$type<DeliveryKindName>().notNull(),
      projectId: k.str().notNull(),
      isOrdered: k.bool().notNull(),
      health: k.str().$type<TargetHealth>().notNull(),
      /** Not later than the earliest `dueAt` of its deliveries; null when none is due at any time. */
      dueAt: k.int(),
      /** Deliveries that ended as DEAD since the last success. */
      deadCount: k.int().notNull(),
      lastSuccessAt: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.index('delivery_targets_due').on(t.health, t.dueAt), k.index('delivery_targets_project').on(t.projectId)],
  ),
  /** How far a project's events have been turned into deliveries. */
  deliveryCursors: k.table('delivery_cursors', {
    projectId: k.str().primaryKey(),
    position: k.int().notNull(),
  }),
  /** Ended attempts of a target by hour. */
  deliveryHours: k.table(
    'delivery_hours',
    {
      targetId: k.str().notNull(),
      /** The hour's first instant. */
      hourAt: k.int().notNull(),
      succeeded: k.int().notNull(),
      failed: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.targetId, t.hourAt] })],
  ),
})

type DeliveryTables = ReturnType<typeof deliveryTables>

declare module '../../base/db/tables' {
  interface Tables extends DeliveryTables {}
}
