import { isIP } from 'node:net'
import type { Context } from '../../base/context'
import { outsideNow } from '../../base/lib/clock'
import { toAccountKey } from './acme/jws'
import type { ServedCertificate } from './certificate'
import { syncNames, wantedNames } from './names'
import {
  changeTlsName,
  findTlsAccount,
  listCertificateIds,
  listTlsCertificates,
  listTlsNames,
  type NameRow,
} from './queries'
import { openAccount, openCertificate } from './sealed'
import { healthyAfterSuccess, isStrict } from './strict'

/** Takes what has changed since the last call: certificates of the database or of the files, and hosts with HSTS. */
export async function refreshTls(ctx: Context): Promise<void> {
  if (ctx.config.tls.mode === 'files') await refreshFiles(ctx)
  else await refreshIssued(ctx)
  const { listeners, certificates } = ctx.state.tls
  listeners?.serve(certificates)
}

async function refreshFiles(ctx: Context): Promise<void> {
  const { tls, strictHosts } = ctx.state
  const read = tls.files?.readChanged() ?? null
  if (typeof read === 'string') noteFault(ctx, read)
  else if (read !== null) {
    noteFault(ctx, null)
    tls.certificates = [read]
  }
  const [served] = tls.certificates
  if (!served) return
  const rows = await syncNames(
    ctx,
    served.names.map((name) => ({ name, projectId: null })),
  )
  await noteHealthy(ctx, rows)
  strictHosts.replace(strictNames(await listTlsNames(ctx), outsideNow(ctx)))
}

/** Each fault is logged once. */
function noteFault({ state: { tls }, log }: Context, fault: string | null): void {
  if (fault !== null && fault !== tls.fileFault)
    log.error('the certificate files cannot be used; the old certificate stays', { fault })
  tls.fileFault = fault
}

async function noteHealthy(ctx: Context, rows: readonly NameRow[]): Promise<void> {
  const now = outsideNow(ctx)
  const fresh = rows.filter(({ healthySince }) => healthySince === null)
  if (fresh.length === 0) return
  await ctx.write(async (tx) => {
    for (const { name, healthySince } of fresh)
      await changeTlsName(tx, name, {
        ...{ status: 'VALID', nextAttemptAt: null },
        healthySince: healthyAfterSuccess(healthySince, now),
      })
  })
}

async function refreshIssued(ctx: Context): Promise<void> {
  const { tls, strictHosts } = ctx.state
  await refreshAccount(ctx)
  const rows = (await listTlsNames(ctx)).filter(({ isWanted }) => isWanted)
  const wanted = new Set(rows.map(({ name }) => name))
  const ids = (await listCertificateIds(ctx)).filter(({ name }) => wanted.has(name))
  strictHosts.replace(strictNames(rows, outsideNow(ctx)))
  const loaded = ids.map(({ id }) => id).join(' ')
  if (loaded === tls.loaded) return
  tls.certificates = await loadCertificates(ctx, wanted)
  tls.loaded = loaded
}

/** Those of wanted names, in the order of the configuration. */
async function loadCertificates(ctx: Context, wanted: ReadonlySet<string>): Promise<ServedCertificate[]> {
  const stored = (await listTlsCertificates(ctx)).filter(({ name }) => wanted.has(name))
  const order = (await wantedNames(ctx)).map(({ name }) => name)
  const sorted = stored.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  return sorted.flatMap((row) => {
    const certificate = openCertificate(ctx.vault, row)
    if (certificate === null) ctx.log.error(UNREADABLE, { name: row.name })
    return certificate ?? []
  })
}

const UNREADABLE = 'this master key does not open a certificate, so it is not served; svc tls renew gets another one'

/** Another process may have made the account, or another one in its place. */
async function refreshAccount(ctx: Context): Promise<void> {
  const row = await findTlsAccount(ctx, ctx.config.tls.acme.url)
  const jwk = row && openAccount(ctx.vault, row)
  ctx.state.tls.thumbprint = jwk ? (await toAccountKey(jwk)).thumbprint : null
}

const strictNames = (rows: readonly NameRow[], now: number): string[] =>
  rows.filter(({ name, healthySince }) => isStrict(healthySince, now) && isIP(name) === 0).map(({ name }) => name)
