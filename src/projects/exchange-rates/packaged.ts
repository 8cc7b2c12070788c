import type { Context } from '../../base/context'
import { SERVER_ACTOR } from '../audit/audit'
import { readDate } from './day'
import { readDecimal } from './decimal'
import { readPackagedRates } from './packaged.macro' with { type: 'macro' }
import { findNewestDay } from './queries'
import { ONE, writeRate } from './rate'
import { saveRates } from './save'
import type { RateDay } from './stored-rates'

/**
 * The rates that the executable contains: of one day of each month, the last one that was published as a package, for
 * currencies that the central bank does not quote. In dollars per unit, as loaded rates are.
 */
export const PACKAGED: readonly RateDay[] = readPackagedRates().flatMap(({ date, perDollar }) => {
  const day = readDate(date)
  return day === null ? [] : [{ day, rates: toDollars(perDollar) }]
})

function toDollars(perDollar: Readonly<Record<string, string>>): Record<string, string> {
  const rates = Object.entries(perDollar).flatMap(([currency, units]) => {
    const divisor = readDecimal(units)
    return divisor ? [[currency, writeRate({ dividend: ONE, divisor })]] : []
  })
  return Object.fromEntries(rates)
}

/** Saves the rates of the executable, once for each release that has newer ones. */
export async function savePackagedRates(ctx: Context): Promise<void> {
  if (ctx.config.ratesUrl === null) return
  const newest = await findNewestDay(ctx, 'PACKAGE')
  if (newest !== null && newest >= (PACKAGED.at(-1)?.day ?? 0)) return
  await ctx.write((tx) => saveRates(tx, { source: 'PACKAGE', actor: SERVER_ACTOR, file: null }, PACKAGED))
}
