import type { Kit } from '../../base/db/kit'

/** What holds the lock: saving or deleting the Android credentials, or a change of their Pub/Sub connection. */
export type LockedAction = 'save' | 'delete' | 'connect' | 'recreate' | 'rotate' | 'disconnect'

export const credentialLockTables = (k: Kit) => ({
  /** At most one row for each project: who changes its Android connection at present. */
  credentialLocks: k.table('credential_locks', {
    projectId: k.str().primaryKey(),
    /** Made anew for each holder. */
    holder: k.str().notNull(),
    action: k.str().$type<LockedAction>().notNull(),
    /** A holder that died is not waited for any longer. */
    expiresAt: k.int().notNull(),
  }),
})

type CredentialLockTables = ReturnType<typeof credentialLockTables>

declare module '../../base/db/tables' {
  interface Tables extends CredentialLockTables {}
}
