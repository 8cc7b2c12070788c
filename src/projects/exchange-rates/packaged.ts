import type { Context } from '../../base/context'
import { unpackText } from '../../base/lib/packed-text'
import { SERVER_ACTOR } from '../audit/audit'
import { readDate } from './day'
import { readDecimal } from './decimal'
import { packRates } from './packaged.macro' with { type: 'macro' }
import { findNewestDay } from './queries'
import { ONE, writeRate } from './rate'
import { saveRates } from './save'
import type { RateDay } from './stored-rates'

const PACKED = packRates()

/**
 * The rates that the executable contains: of one day of each month, the last one that was published as a package, for
 * currencies that the central bank does not quote. In dollars per unit, as loaded rates are.
 */
export const packagedRates = (): RateDay[] =>
  unpackText(PACKED.text)
    .split('\n')
    .flatMap((line) => {
      const [date = '', ...rates] = line.split(' ')
      const day = readDate(date)
      return day === null ? [] : [{ day, rates: Object.fromEntries(rates.flatMap(toDollars)) }]
    })

function toDollars(text: string): [currency: string, rate: string][] {
  const [currency = '', units = ''] = text.split('=')
  const divisor = readDecimal(units)
  return divisor ? [[currency, writeRate({ dividend: ONE, divisor })]] : []
}

/** The newest day among them. */
const NEWEST = readDate(PACKED.newest) ?? 0

/** Saves the rates of the executable, once for each release that has newer ones. */
export async function savePackagedRates(ctx: Context): Promise<void> {
  if (ctx.config.ratesUrl === null) return
  const newest = await findNewestDay(ctx, 'PACKAGE')
  if (newest !== null && newest >= NEWEST) return
  await ctx.write((tx) => saveRates(tx, { source: 'PACKAGE', actor: SERVER_ACTOR, file: null }, packagedRates()))
}
