import { slice } from '../../base/slice'
import { funnelCommand } from './command'
import { funnelsWithAssets, funnelsWithFonts } from './files'
import { funnelOperatorRoutes } from './operator-routes'
import { funnelSection } from './project-file/section'
import { listPublishedSlugs } from './queries'
import { searchFunnels } from './search'
import { funnelTables } from './tables'
import { templateRoutes } from './template-routes'

export const funnelPublication = slice({
  name: 'funnel-publication',
  tags: [{ name: 'Funnels', description: 'Pages that ask, sell and lead into the app.' }],
  operatorRoutes: funnelOperatorRoutes,
  accountRoutes: templateRoutes,
  commands: [funnelCommand],
  projectFile: [funnelSection],
  searchObjects: searchFunnels,
  tables: funnelTables,
  assetUsers: funnelsWithAssets,
  fontUsers: funnelsWithFonts,
  legalUrlUsers: listPublishedSlugs,
  cachedRows: { funnels: 'NOBODY', funnelVersions: 'NOBODY' },
  personalData: { funnels: 'NOTHING', funnelVersions: 'NOTHING' },
})
