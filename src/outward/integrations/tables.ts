import type { Kit } from '../../base/db/kit'

export const integrationTables = (k: Kit) => ({
  integrations: k.table(
    'integrations',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** A name of `registry.ts`. */
      provider: k.str().notNull(),
      /** Empty where a project has one connection of the provider; else the id, so that there can be several. */
      slot: k.str().notNull(),
      /** What people recognise the credentials by. */
      hint: k.str().notNull(),
      sealedCredentials: k.str().notNull(),
      enabledEvents: k.json<string[]>().notNull(),
      eventMapping: k.json<Record<string, string>>().notNull(),
      includeSandbox: k.bool().notNull(),
      isEnabled: k.bool().notNull(),
      /** Events recorded before this instant were not its business; only a back-fill sends them. */
      enabledAt: k.int().notNull(),
      lastError: k.str(),
      lastSuccessAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('integrations_provider').on(t.projectId, t.provider, t.slot)],
  ),
})

type IntegrationTables = ReturnType<typeof integrationTables>

declare module '../../base/db/tables' {
  interface Tables extends IntegrationTables {}
}
