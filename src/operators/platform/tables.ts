import type { Kit } from '../../base/db/kit'

export const platformTables = (k: Kit) => ({
  /** For how long a platform administrator may read a project, and why. */
  supportGrants: k.table(
    'support_grants',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      adminId: k.str().notNull(),
      adminEmail: k.str().notNull(),
      reason: k.str().notNull(),
      expiresAt: k.int().notNull(),
      revokedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('support_grants_admin').on(t.adminId, t.projectId, t.expiresAt),
      k.index('support_grants_project').on(t.projectId, t.id),
    ],
  ),
})

type PlatformTables = ReturnType<typeof platformTables>

declare module '../../base/db/tables' {
  interface Tables extends PlatformTables {}
}
