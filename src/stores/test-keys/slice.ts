import { slice } from '../../base/slice'
import { testKeyTables } from './tables'

/** The ids and signing keys that identify data of the test store. */
export const testKeys = slice({
  name: 'test-keys',
  tables: testKeyTables,
  cachedRows: { simulatorKeys: 'NOBODY' },
  personalData: { simulatorKeys: 'NOTHING' },
})
