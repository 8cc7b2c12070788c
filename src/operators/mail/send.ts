import type { Context } from '../../base/context'
import { type Backoff, backoffMs } from '../../base/jobs/backoff'
import { describeFailure } from '../../base/jobs/failure'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { inParallel } from '../../base/lib/parallel'
import { type Letter, openLetter } from './letter'
import { toMessage } from './message'
import { blankExpired, claimMail, giveUpLost, hasExpired, listDueMails, type MailRow, settleAttempt } from './queries'
import { judgeFailure, type SmtpFailure } from './smtp-failure'
import { hashAddress, isSuppressed, suppress } from './suppression'

const BATCH = 50
const WIDTH = 3
const BACKOFF: Backoff = { baseMs: 30 * SECOND, capMs: HOUR }
/** About two days with this backoff. */
const MAX_ATTEMPTS = 60
/** A process that ended while it was sending leaves its mail to the others after this time. */
const LEASE_MS = 5 * MINUTE
/** A mail without a stored text is attempted at least this often by the process that holds the text. */
const LOST_AFTER_MS = 2 * HOUR

/** Sends every mail that is due, the longest due first. Stops for this time when the mail server cannot be used. */
export async function sendDueMails(ctx: Context): Promise<void> {
  await giveUpDead(ctx)
  if (ctx.config.mail.smtpUrl === null) return
  for (let isDown = false; !isDown; ) {
    const due = await listDueMails(ctx, { heldIds: ctx.state.mailer.heldIds, now: ctx.clock.now(), limit: BATCH })
    await inParallel(due, WIDTH, async (row) => {
      if (!isDown && !ctx.state.mailer.isEnding && (await sendOne(ctx, row)) === 'down') isDown = true
    })
    if (due.length < BATCH || ctx.state.mailer.isEnding) return
  }
}

/** Mails that can never be sent any more. */
async function giveUpDead(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  if (await hasExpired(ctx, now)) await ctx.write((tx) => blankExpired(tx, now))
  if (ctx.vault) return
  const lost = await ctx.write((tx) => giveUpLost(tx, ctx.state.mailer.heldIds, now - LOST_AFTER_MS, now))
  if (lost > 0) ctx.log.error('mails were lost with the process that held their texts', { mails: lost })
}

async function sendOne(ctx: Context, due: MailRow): Promise<'settled' | 'down'> {
  const now = ctx.clock.now()
  if (!(await ctx.write((tx) => claimMail(tx, due, now + LEASE_MS)))) return 'settled'
  const row = { ...due, attempts: due.attempts + 1 }
  const letter = ctx.state.mailer.findHeld(row.id) ?? openLetter(ctx.vault, row)
  if (!letter) return fail(ctx, row, 'its text was encrypted with another master key')
  if (await isSuppressed(ctx, letter)) return settle(ctx, row, { status: 'SUPPRESSED', sealed: null })
  try {
    await ctx.state.mailer.deliver(toMessage({ ...ctx, isSigning: ctx.vault !== null }, row, letter))
  } catch (error) {
    return refuse(ctx, row, letter, error)
  }
  return settle(ctx, row, { status: 'SENT', sealed: null, sentAt: ctx.clock.now(), lastError: null })
}

/** What follows from a failed attempt: another one later, or none. */
async function refuse(ctx: Context, row: MailRow, { to }: Letter, error: unknown): Promise<'settled' | 'down'> {
  const verdict = judgeFailure(error as SmtpFailure) // Every member is optional; of anything else none is there.
  const reason = describeFailure(error)
  if (verdict === 'unknown_address') await suppress(ctx, [{ addressHash: hashAddress(to), reason: 'BOUNCED' }])
  if (verdict === 'refused' || verdict === 'unknown_address' || row.attempts >= MAX_ATTEMPTS)
    return fail(ctx, row, reason)
  const now = ctx.clock.now()
  const nextAttemptAt = now + backoffMs(BACKOFF, row.id, row.attempts)
  await ctx.write((tx) => settleAttempt(tx, row, { nextAttemptAt, lastError: reason }, now))
  ctx.log.warn('a mail could not be sent and is tried again', { mail: row.id, kind: row.kind, error: reason })
  return verdict === 'down' ? 'down' : 'settled'
}

/** The text stays readable in the outbox, because its link may still be needed. */
function fail(ctx: Context, row: MailRow, lastError: string): Promise<'settled'> {
  ctx.log.error('a mail could not be sent and is not tried again', { mail: row.id, kind: row.kind, error: lastError })
  return settle(ctx, row, { status: 'FAILED', lastError })
}

async function settle(ctx: Context, row: MailRow, change: Parameters<typeof settleAttempt>[2]): Promise<'settled'> {
  await ctx.write((tx) => settleAttempt(tx, row, { nextAttemptAt: null, ...change }, tx.clock.now()))
  if (change.status !== 'FAILED') ctx.state.mailer.drop(row.id)
  return 'settled'
}
