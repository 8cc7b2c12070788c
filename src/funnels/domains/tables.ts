import { sql } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { AddressRecord, CertificateState, DomainFailure, DomainStatus, WalletStates } from './model'

export const domainTables = (k: Kit) => ({
  /** A name of a customer under which the funnels of a project are. */
  customDomains: k.table(
    'custom_domains',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** ASCII (Punycode), in lower case. */
      hostname: k.str().notNull(),
      status: k.str().$type<DomainStatus>().notNull(),
      /** Why it is FAILED; null in every other state. */
      failure: k.str().$type<DomainFailure>(),
      /** What the TXT record must say; empty until the first check of a name that came with a moved project. */
      token: k.str().notNull(),
      rootFunnelId: k.str(),
      redirectTo: k.str(),
      /** When the present 72 hours of checks started; null = they start with the next check. */
      cycleAt: k.int(),
      verifiedAt: k.int(),
      missingSince: k.int(),
      checkedAt: k.int(),
      /** Null = it is checked no more. */
      nextCheckAt: k.int(),
      /** The TXT records of the latest check. */
      seenTexts: k.json<string[]>(),
      address: k.json<AddressRecord>(),
      /** What a TLS handshake to the name showed at the latest check. */
      certificate: k.json<CertificateState>(),
      wallets: k.json<WalletStates>(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('custom_domains_name').on(t.projectId, t.hostname),
      // Until a name is proved, several projects may claim it.
      k.unique('custom_domains_verified').on(t.hostname).where(sql`status = 'VERIFIED'`),
      k.index('custom_domains_hostname').on(t.hostname),
      k.index('custom_domains_project').on(t.projectId),
      k.index('custom_domains_check').on(t.nextCheckAt),
    ],
  ),

  /** Names that a project had: their DNS may still lead here, so no other project gets them at once. */
  freedHostnames: k.table(
    'freed_hostnames',
    {
      hostname: k.str().primaryKey(),
      projectId: k.str().notNull(),
      freedAt: k.int().notNull(),
    },
    (t) => [k.index('freed_hostnames_project').on(t.projectId)],
  ),
})

type DomainTables = ReturnType<typeof domainTables>

declare module '../../base/db/tables' {
  interface Tables extends DomainTables {}
}
