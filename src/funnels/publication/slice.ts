import { slice } from '../../base/slice'
import { funnelSection } from './project-file/section'
import { listPublishedSlugs } from './queries'
import { searchFunnels } from './search'
import { funnelTables } from './tables'

export const funnelPublication = slice({
  name: 'funnel-publication',
  projectFile: [funnelSection],
  searchObjects: searchFunnels,
  tables: funnelTables,
  legalUrlUsers: listPublishedSlugs,
  cachedRows: { funnels: 'NOBODY', funnelVersions: 'NOBODY' },
  personalData: { funnels: 'NOTHING', funnelVersions: 'NOTHING' },
})
