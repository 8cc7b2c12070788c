import { slice } from '../../base/slice'
import { audienceOperatorRoutes } from './operator-routes'
import { audienceSection } from './project-file/section'
import { searchAudiences } from './search'
import { insertDefaultAudience } from './service'
import { audienceTables } from './tables'

export const audiences = slice({
  name: 'audiences',
  projectFile: [audienceSection],
  tables: audienceTables,
  operatorRoutes: audienceOperatorRoutes,
  searchObjects: searchAudiences,
  onCreateProject: insertDefaultAudience,
  cachedRows: { audiences: 'NOBODY' },
  personalData: { audiences: 'NOTHING' },
})
