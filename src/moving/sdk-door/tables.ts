import type { Kit } from '../../base/db/kit'
import type { SdkPlatform } from './select'

export const sdkDoorTables = (k: Kit) => ({
  /** Keys of the former vendor that apps of a project carry. */
  formerSdkKeys: k.table(
    'former_sdk_keys',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** SHA-256 of the whole key, in hex. */
      keyHash: k.str().notNull(),
      last4: k.str().notNull(),
      platform: k.str().$type<SdkPlatform>().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.unique('former_sdk_keys_hash').on(t.keyHash), k.index('former_sdk_keys_project').on(t.projectId)],
  ),

  /** Tokens with which an SDK has bought at the built-in test store: each buys once. */
  formerSdkTokens: k.table(
    'former_sdk_tokens',
    {
      projectId: k.str().notNull(),
      /** SHA-256 of the token, in hex. */
      tokenHash: k.str().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.tokenHash] })],
  ),

  /** How many calls of the former vendor's SDKs came on a day. */
  formerSdkCalls: k.table(
    'former_sdk_calls',
    {
      projectId: k.str().notNull(),
      /** The first instant of the day, UTC. */
      day: k.int().notNull(),
      platform: k.str().notNull(),
      /** Empty for a native SDK. */
      flavor: k.str().notNull(),
      version: k.str().notNull(),
      call: k.str().notNull(),
      /** `OK`, or the integer code of the refusal. */
      outcome: k.str().notNull(),
      count: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.day, t.platform, t.flavor, t.version, t.call, t.outcome] })],
  ),

  /** Which SDK and which version of the app a person had at their last call from a platform. */
  formerSdkDevices: k.table(
    'former_sdk_devices',
    {
      projectId: k.str().notNull(),
      /** Keyed hash of the id of the person's row. */
      deviceHash: k.str().notNull(),
      platform: k.str().notNull(),
      flavor: k.str().notNull(),
      version: k.str().notNull(),
      /** Empty where the SDK sends none. */
      appVersion: k.str().notNull(),
      /** The day of the last call: its first instant, UTC. */
      day: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.projectId, t.deviceHash, t.platform] }),
      k.index('former_sdk_devices_day').on(t.day),
    ],
  ),
})

type SdkDoorTables = ReturnType<typeof sdkDoorTables>

declare module '../../base/db/tables' {
  interface Tables extends SdkDoorTables {}
}
