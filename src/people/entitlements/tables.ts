import type { Kit } from '../../base/db/kit'

export const entitlementTables = (k: Kit) => ({
  /** Signing keys of access leases. A retired key stays listed until its last lease has ended. */
  leaseKeys: k.table('lease_keys', {
    kid: k.str().primaryKey(),
    publicJwk: k.json<Record<string, unknown>>().notNull(),
    /** PKCS #8 PEM, sealed with the master key if the deployment has one. */
    privateKey: k.str().notNull(),
    createdAt: k.int().notNull(),
    retiredAt: k.int(),
    lastLeaseEndsAt: k.int().notNull(),
  }),
})

type EntitlementTables = ReturnType<typeof entitlementTables>

declare module '../../base/db/tables' {
  interface Tables extends EntitlementTables {}
}
