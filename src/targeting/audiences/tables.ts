import type { Kit } from '../../base/db/kit'

export const audienceTables = (k: Kit) => ({
  audiences: k.table(
    'audiences',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      description: k.str(),
      /** The rules document as it was written (wire 5.3). */
      rules: k.json<Record<string, unknown>>().notNull(),
      /** "All users", which every project has and nobody can change. */
      isDefault: k.bool().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('audiences_name').on(t.projectId, t.name)],
  ),
})

type AudienceTables = ReturnType<typeof audienceTables>

declare module '../../base/db/tables' {
  interface Tables extends AudienceTables {}
}
