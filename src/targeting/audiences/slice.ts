import { slice } from '../../base/slice'
import { audienceSection } from './project-file/section'
import { insertDefaultAudience } from './service'
import { audienceTables } from './tables'

export const audiences = slice({
  name: 'audiences',
  projectFile: [audienceSection],
  tables: audienceTables,
  onCreateProject: insertDefaultAudience,
  cachedRows: { audiences: 'NOBODY' },
})
