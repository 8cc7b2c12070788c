import { slice } from '../../base/slice'
import { purchaseTables } from './tables'

export const purchases = slice({ name: 'purchases', tables: purchaseTables })
