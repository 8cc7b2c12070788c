import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid, missing } from '../../base/errors'
import { outsideNow } from '../../base/lib/clock'
import { hostnameOf } from '../../base/lib/hostname'
import { toIso } from '../../base/lib/time'
import type { Actor } from '../../projects/audit/audit'
import { recordPlatformAudit } from '../../projects/audit/platform'
import { type CertificateState, toState } from './certificate-state'
import { readFiles } from './files'
import { changeTlsName, findTlsName, listTlsCertificates, listTlsNames } from './queries'

/** A name with its certificate. */
export interface NameStatus extends CertificateState {
  name: string
  /** Null = a name of the deployment. */
  projectId: string | null
}

export interface TlsStatus {
  mode: Context['config']['tls']['mode']
  /** Why the files of `SVC_TLS` cannot be read. */
  fault: string | null
  names: NameStatus[]
}

/** Every name that this server speaks https for, with its certificate. */
export async function tlsStatus(ctx: Context): Promise<TlsStatus> {
  const { mode, files } = ctx.config.tls
  if (files) return { mode, ...statusOfFiles(files, outsideNow(ctx)) }
  return { mode, fault: null, names: await listNameStatus(ctx, outsideNow(ctx)) }
}

/** With own files there is nothing to issue; the files themselves say it. */
function statusOfFiles(files: { certificate: string; key: string }, now: number): Omit<TlsStatus, 'mode'> {
  const read = readFiles(files)
  if (typeof read === 'string') return { fault: read, names: [] }
  const { notAfter, issuer } = read
  const status = notAfter <= now ? 'EXPIRED' : 'VALID'
  const facts = { projectId: null, status, notAfter, issuer, nextAttemptAt: null, error: null } as const
  return { fault: null, names: read.names.map((name) => ({ name, ...facts })) }
}

/** Every name that gets a certificate. */
export async function listNameStatus(handle: Handle, now: number): Promise<NameStatus[]> {
  const certificates = new Map((await listTlsCertificates(handle)).map((row) => [row.name, row]))
  const rows = (await listTlsNames(handle)).filter(({ isWanted }) => isWanted)
  return rows.map((row) => ({
    ...{ name: row.name, projectId: row.projectId },
    ...toState(row, certificates.get(row.name) ?? null, now),
  }))
}

/** The status on the wire: instants as texts. */
export const toWire = ({ notAfter, nextAttemptAt, ...rest }: NameStatus) => ({
  ...rest,
  notAfter: notAfter === null ? null : toIso(notAfter),
  nextAttemptAt: nextAttemptAt === null ? null : toIso(nextAttemptAt),
})

/**
 * Asks the running server for a new certificate of a name now, whatever its back-off. 404 for a name that gets none, 400
 * where the certificates are files.
 */
export async function renewNow(ctx: Context, actor: Actor, given: string): Promise<string> {
  if (ctx.config.tls.files)
    throw invalid('SVC_TLS names files; replace them, and the running server serves the new ones')
  const name = hostnameOf(given)
  await ctx.write(async (tx) => {
    const row = name === null ? null : await findTlsName(tx, name)
    if (!row?.isWanted) throw missing(`This server gets no certificate for ${given}; see: svc tls status`)
    await changeTlsName(tx, row.name, { nextAttemptAt: outsideNow(tx) })
    await recordPlatformAudit(tx, actor, renewalEntry(row.name))
  })
  return name ?? given
}

const renewalEntry = (name: string) => ({
  action: 'tls.renew',
  target: { type: 'tlsName', id: name },
  before: null,
  after: null,
})
