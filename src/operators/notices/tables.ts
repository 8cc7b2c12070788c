import type { Kit } from '../../base/db/kit'
import type { GivenPreferences } from './preferences'

export const noticeTables = (k: Kit) => ({
  /** What a person finds in the dashboard. One row for each receiver. */
  notices: k.table(
    'notices',
    {
      id: k.str().primaryKey(),
      userId: k.str().notNull(),
      projectId: k.str(),
      /** What it is about, such as `scheduled_action_failed`. */
      kind: k.str().notNull(),
      title: k.str().notNull(),
      body: k.str().notNull(),
      readAt: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.index('notices_of_user').on(t.userId, t.id),
      k.index('notices_unread').on(t.userId, t.readAt),
      k.index('notices_age').on(t.createdAt),
    ],
  ),
  /** What a person has chosen. What they have not chosen is not in it. */
  notificationPreferences: k.table('notification_preferences', {
    userId: k.str().primaryKey(),
    given: k.json<GivenPreferences>().notNull(),
    createdAt: k.int().notNull(),
    updatedAt: k.int().notNull(),
  }),
  /** What holds in a project for members who have not chosen. */
  notificationDefaults: k.table('notification_defaults', {
    projectId: k.str().primaryKey(),
    given: k.json<GivenPreferences>().notNull(),
    createdAt: k.int().notNull(),
    updatedAt: k.int().notNull(),
  }),
  pushDevices: k.table(
    'push_devices',
    {
      id: k.str().primaryKey(),
      userId: k.str().notNull(),
      /** The address of the device at its push service. */
      token: k.str().notNull(),
      platform: k.str().notNull().$type<PushPlatform>(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('push_devices_token').on(t.token), k.index('push_devices_of_user').on(t.userId, t.id)],
  ),
})

export type PushPlatform = 'ios' | 'android' | 'web'

type NoticeTables = ReturnType<typeof noticeTables>

declare module '../../base/db/tables' {
  interface Tables extends NoticeTables {}
}
