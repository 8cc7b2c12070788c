import { slice } from '../../base/slice'
import { credentialLockTables } from './tables'

export const credentialLock = slice({
  name: 'credential-lock',
  tables: credentialLockTables,
  cachedRows: { credentialLocks: 'NOBODY' },
  personalData: { credentialLocks: 'NOTHING' },
})
