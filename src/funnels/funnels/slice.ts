import { slice } from '../../base/slice'
import { funnelTables } from './tables'

export const funnels = slice({
  name: 'funnels',
  tables: funnelTables,
  cachedRows: { funnels: 'NOBODY', funnelVersions: 'NOBODY' },
})
