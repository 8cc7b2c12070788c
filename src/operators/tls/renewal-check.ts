import type { Context } from '../../base/context'
import { HOUR, outsideNow } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { callParts, openDirectory } from './account'
import { renewalIdOf } from './acme/crypto'
import { ASK_EVERY_MS, readRenewal } from './acme/renewal'
import { changeTlsName, findTlsCertificate, type NameRow } from './queries'
import { timeInWindow } from './schedule'
import { openCertificate } from './sealed'

/** Whether the authority is asked when it wants a name renewed: right after each new certificate, then every 6 h. */
export const isCheckDue = ({ status, renewalCheckedAt }: NameRow, ctx: Pick<Context, 'clock' | 'config'>): boolean =>
  status === 'VALID' && (renewalCheckedAt === null || renewalCheckedAt + ASK_EVERY_MS <= outsideNow(ctx))

/** Asks the authority when a certificate is to be renewed, and writes it. Without an answer the old time stays. */
export async function checkRenewal(ctx: Context, { name }: NameRow): Promise<void> {
  const wantedAt = await askFor(ctx, name).catch((error: unknown) => {
    ctx.state.tls.signal.throwIfAborted()
    ctx.log.warn('renewal information could not be read', { name, error: describeError(error) })
    return null
  })
  await ctx.write((tx) =>
    changeTlsName(tx, name, {
      renewalCheckedAt: outsideNow(tx),
      ...(wantedAt !== null && { renewAt: wantedAt, nextAttemptAt: wantedAt }),
    }),
  )
}

/** When to renew; null = the authority has no such information. */
async function askFor(ctx: Context, name: string): Promise<number | null> {
  const row = await findTlsCertificate(ctx, name)
  const certificate = row && openCertificate(ctx.vault, row)
  const id = certificate && (await renewalIdOf(certificate.chain))
  if (!row || !id) return null
  const directory = await openDirectory(ctx)
  const window = await readRenewal(callParts(ctx), directory, id)
  if (window === null) return null
  // Authorities let a certificate start up to an hour before they issue it. An order never follows one at once.
  return Math.max(timeInWindow(window, row, drawOf(row.id)), row.notBefore + 2 * HOUR)
}

/** A number from 0 to below 1, always the same for one certificate, so that a second question does not move the time. */
const drawOf = (fingerprint: string): number => Number.parseInt(fingerprint.slice(0, 8), 16) / 2 ** 32
