import type { Context } from '../../base/context'
import { SERVER_ACTOR } from '../audit/audit'
import { toDate } from './day'
import { addressOf, readPublished } from './published'
import { findFetch, findNewestDay, putFetch } from './queries'
import { type SavedRates, saveRates } from './save'
import { fileFor, isDue } from './schedule'
import type { RateDay } from './stored-rates'

/**
 * Fetches the central bank's rates when some are missing. A file that cannot be had, or that cannot be right, changes
 * nothing; the reason is stored and, when it is a new one, logged. Never throws for a fault of the other side.
 */
export async function fetchRates(ctx: Context): Promise<void> {
  const { ratesUrl } = ctx.config
  if (ratesUrl === null) return
  const [newest, last] = await Promise.all([findNewestDay(ctx, 'ECB'), findFetch(ctx, 'ECB')])
  const now = ctx.clock.now()
  if (!isDue(now, newest, last)) return
  const result = await readPublished(ctx, addressOf(ratesUrl, fileFor(now, newest)))
  if ('fault' in result) return failed(ctx, result.fault)
  const saved = await ctx.write(async (tx) => {
    await putFetch(tx, { source: 'ECB', triedAt: now, succeededAt: now, fault: null })
    return saveRates(tx, { source: 'ECB', actor: SERVER_ACTOR, file: null }, result.days)
  })
  report(ctx, saved, result.days)
}

async function failed(ctx: Context, fault: string): Promise<void> {
  const before = await findFetch(ctx, 'ECB')
  const triedAt = ctx.clock.now()
  await ctx.write((tx) => putFetch(tx, { source: 'ECB', triedAt, succeededAt: before?.succeededAt ?? null, fault }))
  if (before?.fault !== fault) ctx.log.warn('exchange rates could not be fetched', { reason: fault })
}

function report(ctx: Context, { added, corrected }: SavedRates, days: readonly RateDay[]): void {
  const newest = days.reduce((latest, { day }) => Math.max(latest, day), 0)
  if (corrected > 0) ctx.log.warn('the published exchange rates of earlier days have changed', { corrected })
  if (added > 0) ctx.log.info('exchange rates were fetched', { added, newest: toDate(newest) })
}
