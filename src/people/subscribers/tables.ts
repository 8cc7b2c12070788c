import { isNotNull, isNull } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { AccessMap } from './access-map'
import { emailOf } from './email'
import type { TransferMoved } from './transfer-moved'

/** A stored attribute. `source` (`sdk`, `api`, `dashboard`, `import`, `merge`, `funnel`) and `updatedAt` are of its last change. */
export interface StoredAttribute {
  value: string
  source: string
  updatedAt: number
}

/** What a keyed hash was made of. `SUBSCRIBER`: the id of a row. */
export type ErasedKeyKind = 'DEVICE' | 'LABEL' | 'SUBSCRIBER'

export type StoredAttributes = Record<string, StoredAttribute>

export const subscriberTables = (k: Kit) => ({
  subscribers: k.table(
    'subscribers',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      deviceKey: k.ordered().notNull(),
      appUserId: k.ordered(),
      attributes: k.json<StoredAttributes>().notNull(),
      /** Number of the subscriber's last event. */
      seq: k.int().notNull(),
      /** The published access: the access map of the latest events. */
      toldAccess: k.json<AccessMap>().notNull(),
      /** Created by a store notification or an import; no device has ever used this row. */
      isSynthetic: k.bool().notNull(),
      mergedInto: k.str(),
      erasedAt: k.int(),
      /** Bucket of the first device key with the holdout's salt, so that a query can count who is held out. */
      holdoutBucket: k.int(),
      firstSeenAt: k.int().notNull(),
      lastSeenAt: k.int().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('subscribers_device').on(t.projectId, t.deviceKey),
      k.unique('subscribers_label').on(t.projectId, t.appUserId),
      k.index('subscribers_newest').on(t.projectId, t.id),
      k.index('subscribers_first_seen').on(t.projectId, t.firstSeenAt),
      k
        .index('subscribers_email')
        .on(t.projectId, emailOf(t.attributes), t.id)
        .where(isNotNull(emailOf(t.attributes))),
      k.index('subscribers_holdout').on(t.projectId, t.holdoutBucket),
      k.index('subscribers_unbucketed').on(t.holdoutBucket).where(isNull(t.holdoutBucket)),
      k.index('subscribers_merged').on(t.mergedInto).where(isNotNull(t.mergedInto)),
    ],
  ),

  transfers: k.table(
    'transfers',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      cause: k.str().$type<'IDENTIFY' | 'RECEIPT' | 'RESTORE' | 'API' | 'FUNNEL' | 'FUNNEL_RECLAIM'>().notNull(),
      fromSubscriberId: k.str().notNull(),
      toSubscriberId: k.str().notNull(),
      /** What moved, and everything else that an undo needs. */
      moved: k.json<TransferMoved>().notNull(),
      undoneAt: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.index('transfers_project').on(t.projectId, t.createdAt, t.id),
      k.index('transfers_from').on(t.fromSubscriberId),
      k.index('transfers_to').on(t.toSubscriberId),
    ],
  ),

  /** Device keys and labels of erased people, as keyed hashes: what is left of them to know a later call by. */
  erasedKeys: k.table(
    'erased_keys',
    {
      projectId: k.str().notNull(),
      kind: k.str().$type<ErasedKeyKind>().notNull(),
      hash: k.ordered().notNull(),
      /** The erased row that answers for the key. */
      subscriberId: k.str().notNull(),
      erasedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.kind, t.hash] })],
  ),
})

type SubscriberTables = ReturnType<typeof subscriberTables>

declare module '../../base/db/tables' {
  interface Tables extends SubscriberTables {}
}
