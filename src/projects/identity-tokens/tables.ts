import type { Kit } from '../../base/db/kit'

export const identityTokenTables = (k: Kit) => ({
  /** The secret with which a project's server signs identity tokens. At most one row for a project. */
  identitySecrets: k.table('identity_secrets', {
    projectId: k.str().primaryKey(),
    /** Encrypted with the master key. */
    sealed: k.str().notNull(),
    last4: k.str().notNull(),
    /** The secret before the last rotation, while tokens of it are still accepted. */
    previousSealed: k.str(),
    previousUntil: k.int(),
    createdAt: k.int().notNull(),
    updatedAt: k.int().notNull(),
  }),
})

type IdentityTokenTables = ReturnType<typeof identityTokenTables>

declare module '../../base/db/tables' {
  interface Tables extends IdentityTokenTables {}
}
