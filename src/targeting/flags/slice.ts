import { slice } from '../../base/slice'
import { flagCommand } from './command'
import { audienceDependencies } from './dependencies'
import { flagAudienceUsers, searchFlags } from './hooks'
import { flagOperatorRoutes } from './operator-routes'
import { flagSection } from './project-file/section'
import { flagTables } from './tables'

export const flags = slice({
  name: 'flags',
  projectFile: [flagSection],
  tables: flagTables,
  audienceUsers: flagAudienceUsers,
  audienceRules: audienceDependencies,
  operatorRoutes: flagOperatorRoutes,
  searchObjects: searchFlags,
  cachedRows: { flags: 'NOBODY' },
  personalData: { flags: 'NOTHING' },
  commands: [flagCommand],
})
