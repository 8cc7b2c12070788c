import type { Kit } from '../../base/db/kit'
import type { DeliveryKindName } from '../deliveries/model'

export const replayTables = (k: Kit) => ({
  /** Replays of long ranges that are not finished. */
  deliveryReplays: k.table('delivery_replays', {
    id: k.str().primaryKey(),
    projectId: k.str().notNull(),
    kind: k.str().$type<DeliveryKindName>().notNull(),
    targetId: k.str().notNull(),
    /** Event types as in a filter; empty = all. */
    types: k.json<string[]>().notNull(),
    /** Events recorded between these instants, both included. */
    from: k.int().notNull(),
    to: k.int().notNull(),
    /** The events up to this position have their deliveries; it moves in the transaction that writes them. */
    position: k.int().notNull(),
    /** The last position that it is about. */
    until: k.int().notNull(),
    createdAt: k.int().notNull(),
  }),
})

type ReplayTables = ReturnType<typeof replayTables>

declare module '../../base/db/tables' {
  interface Tables extends ReplayTables {}
}
