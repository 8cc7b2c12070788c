import { slice } from '../../base/slice'
import { loadCatalogSnapshot } from './service'
import type { CatalogSnapshot } from './snapshot'
import { catalogTables } from './tables'

declare module '../project/state' {
  interface ProjectParts {
    catalog: CatalogSnapshot
  }
}

export const catalog = slice({
  name: 'catalog',
  tables: catalogTables,
  cachedRows: {
    access: 'NOBODY',
    products: 'NOBODY',
    currencyGrants: 'NOBODY',
    offerings: 'NOBODY',
    virtualCurrencies: 'NOBODY',
  },
  projectParts: { catalog: ({ handle, projectId }) => loadCatalogSnapshot(handle, projectId) },
})
