import { isFormerPeriod, periodSale } from '../../people/purchases/copies'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import type { TransactionPart } from '../../stores/observation'

type Reported = Pick<ObservationRow, 'payload'>

/**
 * The reports of a subscription that an earlier release recorded and whose transaction is a copy of another one, each with
 * the sale that says so (`isFormerPeriod`). Where the store has named the line item of one of them since, the copies get
 * it. Transactions with different line items are never joined.
 */
export function namedCopies<Row extends Reported>(rows: readonly Row[]): Row[] {
  const sales = new Map<string, string>()
  for (const { payload } of rows) {
    const { transactionId, sale } = (payload.kind === 'REPORT' && payload.transaction) || {}
    if (transactionId !== undefined && sale !== undefined) sales.set(transactionId, sale)
  }
  const periods = Map.groupBy(rows.flatMap(periodOf), ({ period }) => period)
  return [...periods].flatMap(([period, own]) => {
    const ids = new Set(own.map(({ part }) => part.transactionId))
    const known = new Set([...ids].flatMap((id) => sales.get(id) ?? []))
    if (ids.size < 2 || known.size > 1) return []
    const [sale = period] = known
    return own.filter(({ isFormer }) => isFormer).map(({ row, part }) => withSale(row, part, sale))
  })
}

interface InPeriod<Row> {
  row: Row
  part: TransactionPart
  period: string
  isFormer: boolean
}

function periodOf<Row extends Reported>(row: Row): InPeriod<Row>[] {
  const { payload } = row
  if (payload.kind !== 'REPORT' || !payload.transaction) return []
  const { transaction: part } = payload
  const isFormer = isFormerPeriod(payload)
  return isFormer || part.sale !== undefined ? [{ row, part, period: periodSale(part), isFormer }] : []
}

const withSale = <Row extends Reported>(row: Row, part: TransactionPart, sale: string): Row =>
  row.payload.kind === 'REPORT' ? { ...row, payload: { ...row.payload, transaction: { ...part, sale } } } : row

/** Whether the charges of a purchase can have copies that are recorded as charges of their own. */
export const isChain = ({ fold }: Pick<PurchaseRow, 'fold'>): boolean => fold.productType === 'SUBSCRIPTION'
