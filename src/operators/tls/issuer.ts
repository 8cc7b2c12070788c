import type { Context } from '../../base/context'
import { MINUTE, outsideNow, SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import { alertOwners } from './alerts'
import { issue } from './issue'
import { syncNames, wantedNames } from './names'
import {
  deleteEndedCertificates,
  deleteLeftNames,
  deleteLeftOrders,
  endLease,
  findTlsName,
  type NameRow,
  takeLease,
} from './queries'
import { checkRenewal, isCheckDue } from './renewal-check'

const LEASE = 'issuer'
const LEASE_MS = 30 * SECOND
const EXTEND_AFTER_MS = 10 * SECOND
/** So many names are worked on at the same time: one that takes long holds up none of the others. */
const WIDTH = 8

/** Starts the work on names that are due, if no other process does it. Does not wait for its end. */
export async function runIssuer(ctx: Context): Promise<void> {
  const { issuer } = ctx.state.tls
  const rows = await syncNames(ctx, await wantedNames(ctx))
  const due = rows.filter((row) => !issuer.has(row.name) && (isDue(row, outsideNow(ctx)) || isCheckDue(row, ctx)))
  if (due.length > 0 || issuer.size > 0) {
    if (!(await holdLease(ctx))) return
    for (const row of due)
      if (issuer.size < WIDTH)
        issuer.begin(
          row.name,
          () => visit(ctx, row),
          (error) => noteFault(ctx, row, error),
        )
  }
  await alertOwners(ctx, rows)
}

/** Waits for the work that was started, and lets another process continue. */
export async function endIssuer(ctx: Context): Promise<void> {
  ctx.state.tls.drain()
  await ctx.state.tls.issuer.ended()
  await ctx.write((tx) => endLease(tx, LEASE, ctx.instanceId))
}

/** Certificates of names that left are deleted when they end, and then the names themselves; their orders at once. */
export const sweepCertificates = (ctx: Context): Promise<void> =>
  ctx.write(async (tx) => {
    await deleteEndedCertificates(tx)
    await deleteLeftOrders(tx)
    await deleteLeftNames(tx)
  })

const isDue = ({ nextAttemptAt }: NameRow, now: number): boolean => nextAttemptAt !== null && nextAttemptAt <= now

/** Does what is still due: since the row was read, an earlier piece of work or another process may have done it. */
async function visit(ctx: Context, { name }: NameRow): Promise<void> {
  const row = await findTlsName(ctx, name)
  if (!row?.isWanted) return
  if (isDue(row, outsideNow(ctx))) await issue(ctx, row)
  else if (isCheckDue(row, ctx)) await checkRenewal(ctx, row)
}

/** A process that stops leaves the work to the next one. */
function noteFault({ state: { tls }, log }: Context, { name }: NameRow, error: unknown): void {
  if (!tls.signal.aborted) log.error('the work on a certificate failed', { name, error: describeError(error) })
}

async function holdLease(ctx: Context): Promise<boolean> {
  const { issuer } = ctx.state.tls
  const now = outsideNow(ctx)
  if (issuer.leasedAt !== null && now - issuer.leasedAt < EXTEND_AFTER_MS && now >= issuer.leasedAt) return true
  const isHeld = await ctx.write((tx) => takeLease(tx, LEASE, ctx.instanceId, now + LEASE_MS))
  issuer.leasedAt = isHeld ? now : null
  return isHeld
}

/** How often certificates of names that left are looked for. */
export const SWEEP_EVERY_MS = 60 * MINUTE
