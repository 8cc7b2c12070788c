import { slice } from '../../base/slice'
import { flagAudienceUsers } from './audience-users'
import { flagSection } from './project-file/section'
import { flagTables } from './tables'

export const flags = slice({
  name: 'flags',
  projectFile: [flagSection],
  tables: flagTables,
  audienceUsers: flagAudienceUsers,
  cachedRows: { flags: 'NOBODY' },
})
