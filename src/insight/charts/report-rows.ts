import type { Handle } from '../../base/db/handle'
import { type Named, namedPage } from '../../people/purchases/person-ref'
import type { Cell } from '../figures/cells'
import { inReport } from '../figures/report'
import { readWhole } from '../figures/series'
import type { ChartRow, RowPage } from './chart'
import { valueIn } from './figure'
import type { RowRequest } from './rows'

/** A row with what all rows up to it come to in USD micros, by which the next page continues. */
export interface ReportRow extends ChartRow {
  told: number
}

/** `told`: the amount of the page before; null = this is the first one. */
type Page = RowPage & { told: number | null }
type Asked = Pick<RowRequest, 'reader' | 'scope' | 'rate'>

/**
 * The rows of a value in the currency of the report. The sum so far is converted after each row, and a row is the
 * difference that it makes, so that what is rounded off does not add up.
 */
export async function readReportRows(handle: Handle, asked: Asked, cell: Cell, page: Page): Promise<ReportRow[]> {
  const { reader, scope, rate } = asked
  const rows = await reader.read(handle, scope, cell, page)
  if (!rate) return rows.map((row) => ({ ...row, told: 0 }))
  const rest = page.told === null ? await roundingOf(handle, asked, cell) : 0
  if (rows.length === 0) return rest === 0 ? [] : [onlyRounding(cell, rest)]
  let told = page.told ?? 0
  return rows.map((row, index): ReportRow => {
    const before = rate.convert(told)
    told += row.contribution
    return { ...row, contribution: rate.convert(told) - before + (index === 0 ? rest : 0), told }
  })
}

/** A figure is the difference of two converted sums, some micros apart from the converted difference. */
async function roundingOf(handle: Handle, { reader, scope, rate }: Asked, cell: Cell): Promise<number> {
  if (!rate || !reader.figure) return 0
  const usd = await readWhole(handle, { scope, cells: [cell] })
  const { whole } = inReport(rate, usd, null)
  return (valueIn(reader.figure, whole.total) ?? 0) - rate.convert(valueIn(reader.figure, usd.total) ?? 0)
}

/** Of a figure that nothing is left of but what was rounded. */
const onlyRounding = ({ start }: Cell, contribution: number): ReportRow => ({
  ...{ purchaseId: null, transactionId: null, subscriberId: null },
  ...{ at: start, productIdentifier: null, store: null, contribution, tie: '', told: 0 },
})

/** The rows with the people that they are about. */
export async function nameRows(
  handle: Handle,
  projectId: string,
  rows: readonly ReportRow[],
): Promise<Named<ReportRow>[]> {
  return (await namedPage(handle, projectId, { rows: [...rows], next: null })).rows
}
