import { slice } from '../../base/slice'
import { findStoreSettings } from '../../projects/project/service'
import { type Commission, readCommission } from './commission'
import { figureCron } from './jobs'
import { rebuildAfterConversion } from './rebuild'
import { recordEntries } from './record'
import { figureTables } from './tables'

declare module '../../projects/project/state' {
  interface ProjectParts {
    /** What the stores keep of a charge. */
    commission: Commission
  }
}

export const figures = slice({
  name: 'figures',
  tables: figureTables,
  cachedRows: { figureEntries: 'NOBODY', figureProjects: 'NOBODY' },
  projectParts: {
    commission: async ({ handle, projectId }) =>
      readCommission((await findStoreSettings(handle, projectId, 'commissionRates'))?.config ?? {}),
  },
  onRecorded: recordEntries,
  onConverted: rebuildAfterConversion,
  cron: figureCron,
})
