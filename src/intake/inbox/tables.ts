import type { Kit } from '../../base/db/kit'
import type { PurchaseEnvironment, Store } from '../../stores/observation'

export type StoreEventStatus = 'RECEIVED' | 'PROCESSING' | 'PROCESSED' | 'FAILED' | 'IGNORED'

export const notificationTables = (k: Kit) => ({
  /** The inbox: every notification of a store, stored raw and only once, before it is processed. */
  storeEvents: k.table(
    'store_events',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      /** The store's own id of the notification. */
      notificationId: k.str().notNull(),
      type: k.str().notNull(),
      /** Null where neither the notification nor the purchase that it names says it. */
      environment: k.str().$type<PurchaseEnvironment>(),
      status: k.str().$type<StoreEventStatus>().notNull(),
      /** The body as received. */
      body: k.str().notNull(),
      /** The holder of the lease while the notification is processed. */
      leasedBy: k.str(),
      leasedUntil: k.int(),
      attempts: k.int().notNull(),
      error: k.str(),
      eventAt: k.int(),
      receivedAt: k.int().notNull(),
      /** When the store's own request was first accepted; null for one that came only from its history, or forwarded. */
      postedAt: k.int(),
      processedAt: k.int(),
    },
    (t) => [
      k.unique('store_events_notification').on(t.projectId, t.store, t.notificationId),
      k.index('store_events_received').on(t.projectId, t.receivedAt),
      k.index('store_events_store').on(t.projectId, t.store, t.receivedAt, t.id),
      k.index('store_events_status').on(t.status, t.receivedAt),
    ],
  ),

  /** The instant up to which a store's history was processed, whether or not its webhook delivered it. */
  storeCatchups: k.table(
    'store_catchups',
    {
      projectId: k.str().notNull(),
      store: k.str().$type<Store>().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      /** By the store's own time of the notification. */
      upTo: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.store, t.environment] })],
  ),

  /** How many refused notifications of a project were kept on a day. */
  storeRefusals: k.table(
    'store_refusals',
    {
      projectId: k.str().notNull(),
      /** Days since 1970, UTC. */
      day: k.int().notNull(),
      kept: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.day] })],
  ),
})

type NotificationTables = ReturnType<typeof notificationTables>

declare module '../../base/db/tables' {
  interface Tables extends NotificationTables {}
}
