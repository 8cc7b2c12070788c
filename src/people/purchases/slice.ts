import { slice } from '../../base/slice'
import { purchaseTables } from './tables'

export const purchases = slice({
  name: 'purchases',
  tables: purchaseTables,
  // No exchange rates are loaded by this release, so foreign-currency revenue has no USD value yet.
  readiness: { fx: () => 'degraded' },
})
