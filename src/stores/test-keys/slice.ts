import { slice } from '../../base/slice'
import { testKeyTables } from './tables'

/** The ids and signing keys by which what comes from the test store is known. */
export const testKeys = slice({ name: 'test-keys', tables: testKeyTables, cachedRows: { simulatorKeys: 'NOBODY' } })
