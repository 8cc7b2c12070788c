import { ok } from '../../base/cli/doctor'
import { slice } from '../../base/slice'
import { createMoneyFigures, type MoneyFigures } from './figures'
import { purchasesMerge } from './on-merge'
import { purchaseOperatorRoutes } from './operator-routes'
import { countActiveSubscriptions } from './platform-figures'
import { searchPurchases } from './search'
import { listSoldProductIds } from './sold-products'
import { purchaseTables } from './tables'

const NO_RATES = ok(
  'exchange rates',
  'Not set up: this release loads none, so revenue in other currencies is counted without an amount in USD.',
)

declare module '../../base/state' {
  interface SliceState {
    moneyFigures: MoneyFigures
  }
}

export const purchases = slice({
  name: 'purchases',
  tables: purchaseTables,
  onMerge: purchasesMerge,
  platformFigures: countActiveSubscriptions,
  searchObjects: searchPurchases,
  state: { moneyFigures: createMoneyFigures },
  operatorRoutes: purchaseOperatorRoutes,
  soldProducts: listSoldProductIds,
  cachedRows: {
    purchases: { columns: ['id', 'subscriber_id'], idPrefixes: ['pur_', 'sub_'] },
    observations: 'NOBODY',
    transactions: 'NOBODY',
  },
  // This release loads no exchange rates, so none can be out of date (wire 7.18).
  readiness: { fx: async () => {} },
  doctor: { name: 'purchases', host: () => [NO_RATES] },
})
