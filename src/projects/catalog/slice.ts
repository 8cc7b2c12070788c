import { slice } from '../../base/slice'
import { type TotalsReader, totalsReader } from './currency-totals'
import { catalogExamination } from './doctor'
import { catalogOperatorRoutes } from './operator-routes'
import { accessSection } from './project-file/access'
import { offeringSection } from './project-file/offerings'
import { productSection } from './project-file/products'
import { currencySection } from './project-file/virtual-currencies'
import { searchCatalog } from './search'
import { loadCatalogSnapshot } from './service'
import type { CatalogSnapshot } from './snapshot'
import { catalogTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    currencyTotals: TotalsReader
  }
}

declare module '../project/state' {
  interface ProjectParts {
    catalog: CatalogSnapshot
  }
}

export const catalog = slice({
  name: 'catalog',
  projectFile: [accessSection, currencySection, productSection, offeringSection],
  tables: catalogTables,
  cachedRows: {
    access: 'NOBODY',
    products: 'NOBODY',
    currencyGrants: 'NOBODY',
    offerings: 'NOBODY',
    virtualCurrencies: 'NOBODY',
  },
  personalData: {
    access: 'NOTHING',
    products: 'NOTHING',
    currencyGrants: 'NOTHING',
    offerings: 'NOTHING',
    virtualCurrencies: 'NOTHING',
  },
  state: { currencyTotals: totalsReader },
  projectParts: { catalog: ({ handle, projectId }) => loadCatalogSnapshot(handle, projectId) },
  operatorRoutes: catalogOperatorRoutes,
  searchObjects: searchCatalog,
  doctor: catalogExamination,
})
