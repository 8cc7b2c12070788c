import { slice } from '../../base/slice'
import { funnelSection } from './project-file/section'
import { funnelTables } from './tables'

export const funnelPublication = slice({
  name: 'funnel-publication',
  projectFile: [funnelSection],
  tables: funnelTables,
  cachedRows: { funnels: 'NOBODY', funnelVersions: 'NOBODY' },
})
