import type { Kit } from '../../../base/db/kit'

/** The stores whose notifications can be forwarded. */
export type ForwardStore = 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT'

export const forwardTables = (k: Kit) => ({
  /** The addresses to which the notifications of a store are forwarded. */
  notificationForwards: k.table(
    'notification_forwards',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      store: k.str().$type<ForwardStore>().notNull(),
      url: k.str().notNull(),
      /** The place in the list of the project file, from 0. */
      place: k.int().notNull(),
      /** The status of the last answer; null when the last attempt brought none. */
      lastStatus: k.int(),
      /** When the last attempt ended; null before the first. */
      lastAt: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.unique('notification_forwards_url').on(t.projectId, t.store, t.url)],
  ),
})

type ForwardTables = ReturnType<typeof forwardTables>

declare module '../../../base/db/tables' {
  interface Tables extends ForwardTables {}
}

declare module '../../../base/lib/ids' {
  interface IdPrefixes {
    nfw: string
  }
}
