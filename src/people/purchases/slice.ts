import { slice } from '../../base/slice'
import { purchasesMerge } from './on-merge'
import { purchaseTables } from './tables'

export const purchases = slice({ name: 'purchases', tables: purchaseTables, onMerge: purchasesMerge })
