import type { Context } from '../../base/context'
import { Recent } from '../../base/lib/recent'
import type { CurrencyTotals } from './hooks'

type Totals = ReadonlyMap<string, CurrencyTotals>

/** Reads the totals of currencies by id. */
export type TotalsReader = (currencyIds: readonly string[]) => Promise<Totals>

/** Above this number of holders totals are reused for a while: every balance is read for them. */
const MANY_HOLDERS = 10_000
const KEPT_MS = 60_000

export function totalsReader(ctx: Context): TotalsReader {
  const isLarge = (totals: Totals) => [...totals.values()].some(({ holders }) => holders > MANY_HOLDERS)
  const recent = new Recent<Totals>(ctx.clock.now.bind(ctx.clock), (totals) => (isLarge(totals) ? KEPT_MS : 0))
  return async (ids) => {
    const [count] = ctx.hooks.currencyTotals ?? []
    if (!count || ids.length === 0) return new Map()
    return recent.of(ids.join(), () => ctx.storage.readInThread((handle) => count(handle, ids)))
  }
}
