import { slice } from '../../base/slice'
import { flagTables } from './tables'

export const flags = slice({ name: 'flags', tables: flagTables, cachedRows: { flags: 'NOBODY' } })
