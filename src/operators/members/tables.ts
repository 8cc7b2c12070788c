import type { Kit } from '../../base/db/kit'
import type { Role } from '../../core/roles/roles'

export const memberTables = (k: Kit) => ({
  memberships: k.table(
    'memberships',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      userId: k.str().notNull(),
      role: k.str().$type<Role>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('memberships_user').on(t.projectId, t.userId),
      k.index('memberships_projects').on(t.userId, t.projectId),
    ],
  ),
  invitations: k.table(
    'invitations',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** As it was written; the mail goes there. */
      email: k.str().notNull(),
      /** The form in which addresses are compared. */
      emailKey: k.str().notNull(),
      role: k.str().$type<Role>().notNull(),
      /** SHA-256 of the token in the newest mail, in hex. */
      tokenHash: k.str().notNull(),
      /** SHA-256 of the token in the link that managers copy, in hex; null where a mail server exists. It proves no address. */
      shownTokenHash: k.str(),
      /** That token, encrypted with the master key. Null without a key, and once the invitation is closed. */
      sealedToken: k.str(),
      /** The newest mail. */
      mailId: k.str().notNull(),
      expiresAt: k.int().notNull(),
      acceptedAt: k.int(),
      acceptedBy: k.str(),
      revokedAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('invitations_token').on(t.tokenHash),
      k.unique('invitations_shown_token').on(t.shownTokenHash),
      k.index('invitations_project').on(t.projectId, t.id),
    ],
  ),
})

type MemberTables = ReturnType<typeof memberTables>

declare module '../../base/db/tables' {
  interface Tables extends MemberTables {}
}
