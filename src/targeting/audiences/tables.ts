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
      /** "All users", which every project has and which cannot be changed. */
      isDefault: k.bool().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('audiences_name').on(t.projectId, t.name)],
  ),

  /** The list of ids of an audience, for `$inGroup`. Only keyed hashes of the ids are kept. */
  audienceMembers: k.table(
    'audience_members',
    {
      audienceId: k.str().primaryKey(),
      projectId: k.str().notNull(),
      size: k.int().notNull(),
      /** The hashes in ascending order, as base64. */
      hashes: k.str().notNull(),
      /** Identifies the master key that the hashes were made with. */
      keyedBy: k.str().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('audience_members_project').on(t.projectId)],
  ),
})

type AudienceTables = ReturnType<typeof audienceTables>

declare module '../../base/db/tables' {
  interface Tables extends AudienceTables {}
}
