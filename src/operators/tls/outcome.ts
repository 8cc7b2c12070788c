import type { Context } from '../../base/context'
import { outsideNow } from '../../base/lib/clock'
import type { ServedCertificate } from './certificate'
import type { NameFailure } from './failure'
import { changeTlsName, deleteTlsOrder, findTlsName, saveTlsCertificate } from './queries'
import { backOffMs, nextRenewal, renewalTime } from './schedule'
import { sealFor, vaultOf } from './sealed'
import { healthyAfterFailure, healthyAfterSuccess } from './strict'

/** Writes a new certificate, from which on every process serves it. */
export async function saveIssued(ctx: Context, name: string, issued: ServedCertificate): Promise<void> {
  const { chain, key, issuer, notBefore, notAfter, fingerprint } = issued
  const sealed = sealFor(vaultOf(ctx), 'certificate', name, { chain, key })
  await ctx.write(async (tx) => {
    const now = outsideNow(tx)
    const row = await findTlsName(tx, name)
    const renewAt = nextRenewal(renewalTime(issued), now)
    await saveTlsCertificate(tx, { name, id: fingerprint, sealed, issuer, notBefore, notAfter })
    await changeTlsName(tx, name, {
      ...{ status: 'VALID', failures: 0, errorCode: null, errorDetail: null, alerted: 0 },
      ...{ renewAt, nextAttemptAt: renewAt, renewalCheckedAt: null },
      healthySince: healthyAfterSuccess(row?.healthySince ?? null, now),
    })
    await deleteTlsOrder(tx, name)
  })
}

/** Writes why there is no new certificate. The old one is served on. */
export async function saveFailure(ctx: Context, name: string, failure: NameFailure): Promise<void> {
  await ctx.write(async (tx) => {
    const now = outsideNow(tx)
    const row = await findTlsName(tx, name)
    const failures = (row?.failures ?? 0) + 1
    await changeTlsName(tx, name, {
      ...{ status: 'FAILED', failures, errorCode: failure.code, errorDetail: failure.detail.slice(0, 1000) },
      nextAttemptAt: now + backOffMs(failures, failure.retryAfterMs),
      healthySince: healthyAfterFailure(row?.healthySince ?? null, now),
    })
  })
}
