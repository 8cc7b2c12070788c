import type { Kit } from '../../base/db/kit'
import type { DisabledReason } from '../deliveries/model'
import type { WebhookEnvironment, WebhookFormat } from './model'

export const webhookTables = (k: Kit) => ({
  webhookEndpoints: k.table(
    'webhook_endpoints',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      url: k.str().notNull(),
      /** `*`, types, and beginnings of types such as `purchase.*`. */
      eventTypes: k.json<string[]>().notNull(),
      environments: k.json<WebhookEnvironment[]>().notNull(),
      isOrdered: k.bool().notNull(),
      format: k.str().$type<WebhookFormat>().notNull(),
      isEnabled: k.bool().notNull(),
      /** Set when the server and not a person has switched it off. */
      disabledReason: k.str().$type<DisabledReason>(),
      /** Events recorded before it was made or switched on last are not sent to it. */
      enabledAt: k.int().notNull(),
      /** The signing secret, encrypted with the master key. */
      sealedSecret: k.str().notNull(),
      secretLast4: k.str().notNull(),
      /** The secret before the last rotation, and until when it signs too. */
      sealedPrevious: k.str(),
      previousUntil: k.int(),
      /** The value of `Authorization`, encrypted. */
      sealedAuthorization: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('webhook_endpoints_name').on(t.projectId, t.name)],
  ),
})

type WebhookTables = ReturnType<typeof webhookTables>

declare module '../../base/db/tables' {
  interface Tables extends WebhookTables {}
}
