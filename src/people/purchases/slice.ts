import { slice } from '../../base/slice'
import { createMoneyFigures, type MoneyFigures } from './figures'
import { purchasesMerge } from './on-merge'
import { purchaseOperatorRoutes } from './operator-routes'
import { countActiveSubscriptions } from './platform-figures'
import { searchPurchases } from './search'
import { listSoldProductIds } from './sold-products'
import { purchaseTables } from './tables'

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
    purchaseMoves: 'NOBODY',
    observations: 'NOBODY',
    transactions: 'NOBODY',
  },
})
