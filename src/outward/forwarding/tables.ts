import type { Kit } from '../../base/db/kit'

export const forwardingTables = (k: Kit) => ({
  /** The bodies that are still to be forwarded: one for all addresses of a notification. */
  forwardBodies: k.table('forward_bodies', {
    /** `sev_…`, the notification. */
    storeEventId: k.str().primaryKey(),
    projectId: k.str().notNull(),
    contentType: k.str(),
    /** Base64 of the bytes as the store sent them. */
    body: k.str().notNull(),
    /** Deliveries of it that have not ended. */
    open: k.int().notNull(),
    createdAt: k.int().notNull(),
  }),
})

type ForwardingTables = ReturnType<typeof forwardingTables>

declare module '../../base/db/tables' {
  interface Tables extends ForwardingTables {}
}
