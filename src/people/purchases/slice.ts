import { slice } from '../../base/slice'
import { createMoneyFigures, type MoneyFigures } from './figures'
import { countActiveSubscriptions, listSoldProductIds } from './hooks'
import { purchasesMerge } from './move'
import { purchaseOperatorRoutes } from './operator-routes'
import { purchaseOwner } from './owner'
import { erasePurchases } from './personal-data'
import { exportPurchases } from './personal-export'
import { searchPurchases } from './search'
import { purchaseTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    moneyFigures: MoneyFigures
  }
}

export const purchases = slice({
  name: 'purchases',
  purchaseOwner,
  tables: purchaseTables,
  onMerge: purchasesMerge,
  platformFigures: countActiveSubscriptions,
  searchObjects: searchPurchases,
  state: { moneyFigures: createMoneyFigures },
  operatorRoutes: purchaseOperatorRoutes,
  soldProducts: listSoldProductIds,
  cachedRows: {
    purchases: { columns: ['id', 'subscriber_id'], idPrefixes: ['pur_', 'sub_'] },
    purchaseAliases: 'NOBODY',
    joinedTransactions: 'NOBODY',
    purchaseMoves: 'NOBODY',
    observations: 'NOBODY',
    transactions: 'NOBODY',
    unlistedSales: 'NOBODY',
  },
  onErase: erasePurchases,
  personalData: {
    purchases: 'KEPT_WITHOUT_IDENTITY',
    purchaseAliases: 'KEPT_WITHOUT_IDENTITY',
    joinedTransactions: 'NOTHING',
    purchaseMoves: 'KEPT_WITHOUT_IDENTITY',
    observations: 'KEPT_WITHOUT_IDENTITY',
    transactions: 'KEPT_WITHOUT_IDENTITY',
    unlistedSales: 'KEPT_WITHOUT_IDENTITY',
  },
  exportedRows: {
    purchases: 'purchases.jsonl',
    purchaseAliases: 'purchases.jsonl',
    purchaseMoves: { withheld: 'earlier owners of a purchase, who can be other people; transfers.jsonl has the moves' },
    observations: 'purchases.jsonl',
    transactions: 'transactions.jsonl',
    unlistedSales: 'purchases.jsonl',
  },
  onExport: exportPurchases,
})
