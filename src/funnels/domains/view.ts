import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { certificateStatesOf } from '../../operators/tls/certificate-state'
import { wantedRecord } from './address'
import { serverName } from './dns'
import { toUnicode } from './hostname'
import { issuedState } from './issued'
import { type AddressRecord, type CertificateState, NO_CERTIFICATE } from './model'
import type { DomainRow } from './queries'

type Parts = Pick<Context, 'config' | 'db' | 'tables' | 'clock'>

/** What the TXT record of a name must say. */
export const textOf = (token: string): string => `svc-verify=${token}`

export const textName = (hostname: string): string => `_svc.${hostname}`

/** The domains as the dashboard shows them, in the same order. */
export async function viewsOf(ctx: Parts, rows: readonly DomainRow[], revisions: ReadonlyMap<string, number>) {
  const certificates = await certificatesOf(ctx, rows)
  return rows.map((row) => viewOf(ctx, row, certificates.get(row.hostname) ?? null, revisions.get(row.id) ?? 1))
}

/**
 * The certificates of names by hostname: those that this server issues, else what a TLS handshake showed at the latest
 * check. A name without an address of this server has none.
 */
export async function certificatesOf(
  ctx: Parts,
  rows: readonly DomainRow[],
): Promise<ReadonlyMap<string, CertificateState>> {
  if (ctx.config.tls.mode !== 'auto')
    return new Map(rows.flatMap(({ hostname, certificate }) => (certificate ? [[hostname, certificate]] : [])))
  const hostnames = rows.map(({ hostname }) => hostname)
  const issued = await certificateStatesOf(ctx, hostnames, ctx.clock.now())
  return new Map([...issued].map(([hostname, state]) => [hostname, issuedState(state)]))
}

function viewOf({ config }: Parts, row: DomainRow, certificate: CertificateState | null, revision: number) {
  const { hostname, status } = row
  const address = row.address ?? addressBefore(config)
  return {
    ...{ id: row.id, hostname, unicodeHostname: toUnicode(hostname), status, failure: row.failure },
    verification: {
      ...{ type: 'TXT' as const, name: textName(hostname), value: textOf(row.token), seen: row.seenTexts ?? [] },
      ok: row.seenTexts?.includes(textOf(row.token)) ?? false,
    },
    dns: { ...address, name: hostname },
    certificate: status === 'VERIFIED' ? (certificate ?? NO_CERTIFICATE) : NO_CERTIFICATE,
    wallets: status === 'VERIFIED' ? row.wallets : null,
    ...{ rootFunnelId: row.rootFunnelId, redirectTo: row.redirectTo },
    checkedAt: row.checkedAt === null ? null : toIso(row.checkedAt),
    nextCheckAt: row.nextCheckAt === null ? null : toIso(row.nextCheckAt),
    missingSince: row.missingSince === null ? null : toIso(row.missingSince),
    revision,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}

export type DomainView = ReturnType<typeof viewOf>

/** Before the first check it is unknown whether the name is an apex. */
const addressBefore = (config: Context['config']): AddressRecord => ({
  ...wantedRecord(false, { name: serverName(config), ips: config.domains.publicIps }),
  ...{ seen: [], ok: false },
})
