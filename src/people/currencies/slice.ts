import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { currencyOperatorRoutes } from './operator-routes'
import { balancesMerge, eraseLedgerTexts } from './personal-data'
import { exportLedger } from './personal-export'
import { sumBalances } from './queries'
import { currencyRoutes } from './routes'
import { currencyTables } from './tables'

const metrics = ({ registry }: MetricParts) => ({
  ledgerConflicts: new Counter({
    name: 'svc_ledger_conflicts_total',
    help: 'Ledger transactions refused for balance or for a reused idempotency key',
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const currencies = slice({
  name: 'currencies',
  tags: [{ name: 'Virtual currencies', description: 'Balances and the ledger behind them.' }],
  tables: currencyTables,
  cachedRows: { ledger: 'NOBODY', balances: 'NOBODY' },
  onErase: eraseLedgerTexts,
  personalData: { ledger: 'KEPT_WITHOUT_IDENTITY', balances: 'KEPT_WITHOUT_IDENTITY' },
  exportedRows: { ledger: 'ledger.jsonl', balances: 'subscriber.json' },
  onExport: exportLedger,
  metrics,
  routes: currencyRoutes,
  operatorRoutes: currencyOperatorRoutes,
  onMerge: balancesMerge,
  currencyTotals: sumBalances,
})
