import type { Kit } from '../../base/db/kit'

export type NameStatus = 'PENDING' | 'VALID' | 'FAILED'

export const NAME_ERRORS = ['dns', 'port80', 'port443', 'caa', 'rate_limited', 'ca', 'other'] as const
export type NameErrorCode = (typeof NAME_ERRORS)[number]

export const tlsTables = (k: Kit) => ({
  /** The accounts of this deployment at certificate authorities, one for each directory. */
  tlsAccounts: k.table('tls_accounts', {
    directory: k.str().primaryKey(),
    /** The address of the account; null = not registered yet. */
    accountUrl: k.str(),
    /** The key of the account as JWK, encrypted with the master key. */
    sealed: k.str().notNull(),
    /** The terms that were accepted; null = the authority has none. */
    termsUrl: k.str(),
    createdAt: k.int().notNull(),
  }),
  /** The names that get certificates, and how the last attempt of each ended. */
  tlsNames: k.table('tls_names', {
    name: k.str().primaryKey(),
    /** The project of a custom domain; null = a name of the deployment. */
    projectId: k.str(),
    /** False: it has left the configuration, or its custom domain is not verified any more. */
    isWanted: k.bool().notNull(),
    status: k.str().notNull().$type<NameStatus>(),
    failures: k.int().notNull(),
    /** When the next attempt is due; null = never. */
    nextAttemptAt: k.int(),
    errorCode: k.str().$type<NameErrorCode>(),
    errorDetail: k.str(),
    /** When https started to work without a failure; null = it never did. From a day later on, HSTS is sent. */
    healthySince: k.int(),
    /** Mails about the end of the present certificate: 0 none, 1 at a quarter of its life, 2 at an eighth, 3 at its end. */
    alerted: k.int().notNull(),
    /** When the authority was last asked for its renewal information. */
    renewalCheckedAt: k.int(),
    /** When the certificate is renewed; null = there is none. */
    renewAt: k.int(),
  }),
  /** The present certificate of each name. */
  tlsCertificates: k.table('tls_certificates', {
    name: k.str().primaryKey(),
    /** Another one for each certificate, so that processes see that there is a new one. */
    id: k.str().notNull(),
    /** The chain and the key as PEM in JSON, encrypted with the master key. */
    sealed: k.str().notNull(),
    issuer: k.str().notNull(),
    notBefore: k.int().notNull(),
    notAfter: k.int().notNull(),
  }),
  /** Orders that have started and not ended, so that another process can continue them. */
  tlsOrders: k.table('tls_orders', {
    name: k.str().primaryKey(),
    /** The address of the order and the key of the certificate in JSON, encrypted with the master key. */
    sealed: k.str().notNull(),
    createdAt: k.int().notNull(),
  }),
  /** Which process asks for certificates. */
  tlsLeases: k.table('tls_leases', {
    name: k.str().primaryKey(),
    holder: k.str().notNull(),
    expiresAt: k.int().notNull(),
  }),
})

type TlsTables = ReturnType<typeof tlsTables>

declare module '../../base/db/tables' {
  interface Tables extends TlsTables {}
}
