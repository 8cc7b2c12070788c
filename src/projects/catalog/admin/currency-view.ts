import type { Context } from '../../../base/context'
import type { Page, Paged } from '../../../base/db/page'
import { pageOf } from '../../../base/http/id-list'
import { toJsonInteger } from '../../../base/lib/int64'
import { toIso, toIsoOrNull } from '../../../base/lib/time'
import { listRevisionsWith } from '../../audit/revisions'
import type { CurrencyTotals } from '../hooks'
import { type CurrencyRow, loadCatalog } from '../queries'

export const toCurrencyView = (row: CurrencyRow, totals: ReadonlyMap<string, CurrencyTotals>) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  clawback: row.clawback,
  archivedAt: toIsoOrNull(row.archivedAt),
  holders: totals.get(row.id)?.holders ?? 0,
  total: toJsonInteger(totals.get(row.id)?.total ?? 0n),
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type CurrencyView = ReturnType<typeof toCurrencyView> & { revision: number }

/** The newest first, archived ones included. */
export async function listCurrencies(ctx: Context, projectId: string, page: Page): Promise<Paged<CurrencyView>> {
  const revisions = await listRevisionsWith(ctx, projectId, 'vcy')
  const { items, hasMore } = pageOf((await loadCatalog(ctx, projectId)).currencies, page)
  const totals = await ctx.state.currencyTotals(items.map(({ id }) => id))
  return {
    items: items.map((row) => ({ ...toCurrencyView(row, totals), revision: revisions.get(row.id) ?? 1 })),
    hasMore,
  }
}
