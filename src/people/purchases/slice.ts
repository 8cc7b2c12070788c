import { slice } from '../../base/slice'
import { purchasesMerge } from './on-merge'
import { purchaseTables } from './tables'

export const purchases = slice({
  name: 'purchases',
  tables: purchaseTables,
  onMerge: purchasesMerge,
  cachedRows: {
    purchases: { columns: ['id', 'subscriber_id'], idPrefixes: ['pur_', 'sub_'] },
    observations: 'NOBODY',
    transactions: 'NOBODY',
  },
  // No exchange rates are loaded by this release, so foreign-currency revenue has no USD value yet.
  readiness: { fx: () => 'degraded' },
})
