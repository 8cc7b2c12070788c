import type { ColumnSet, ExportTable } from '../model'
import { eventReader } from './events'
import { ledgerReader } from './ledger'
import { purchaseReader } from './purchases'
import type { TableReader } from './reader'
import { subscriberReader } from './subscribers'
import { transactionReader } from './transactions'
import { vendorTransactionReader } from './vendor-transactions'

const READERS: Readonly<Record<ColumnSet, Partial<Readonly<Record<ExportTable, TableReader>>>>> = {
  svc: {
    subscribers: subscriberReader,
    purchases: purchaseReader,
    transactions: transactionReader,
    events: eventReader,
    ledger: ledgerReader,
  },
  revenuecat_v5: { transactions: vendorTransactionReader },
}

/** The tables that a column set has. */
export const tablesOf = (columns: ColumnSet): ExportTable[] => Object.keys(READERS[columns]) as ExportTable[]

/** Throws for a table that the column set does not have; `contentFaults` finds that before. */
export function readerOf(columns: ColumnSet, table: ExportTable): TableReader {
  const reader = READERS[columns][table]
  if (!reader) throw new Error(`the column set ${columns} has no table ${table}`)
  return reader
}
