import { slice } from '../../base/slice'
import { catalogExamination } from './doctor'
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
  projectParts: { catalog: ({ handle, projectId }) => loadCatalogSnapshot(handle, projectId) },
  doctor: catalogExamination,
})
