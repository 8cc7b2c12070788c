import type { Context } from '../../base/context'
import type { Actor } from '../audit/audit'
import { csvRates } from './csv-file'
import { dayOf } from './day'
import { ecbDays } from './ecb-file'
import { textOf } from './file-fault'
import { Plausibility } from './plausible'
import { type SavedRates, saveRates } from './save'
import { dollarRates, toLoadedRows } from './stored-rates'

/**
 * Saves the rates of a file, all or none: `date,currency,usd_per_unit`, or the central bank's XML. Throws a
 * `RateFileFault` that says what is wrong. From then on they win over fetched ones of the same day and currency.
 */
export async function loadRates(
  ctx: Context,
  actor: Actor,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<SavedRates> {
  const text = textOf(bytes)
  const today = dayOf(ctx.clock.now())
  const isXml = /^\uFEFF?\s*</.test(text)
  const rates = isXml ? [...ecbDays(text, today)].flatMap(dollarRates) : [...csvRates(text, today)]
  const plausibility = new Plausibility(await ctx.state.exchangeRates.current(ctx))
  for (const one of rates.toSorted((a, b) => a.day - b.day)) plausibility.check(one)
  const days = toLoadedRows(rates)
  return ctx.write((tx) => saveRates(tx, { source: 'LOADED', actor, file: name }, days))
}
