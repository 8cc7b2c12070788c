import { slice } from '../../base/slice'
import { audienceExamination } from './doctor'
import { MemberHasher } from './groups/group'
import { eraseFromGroups, memberQueue } from './groups/service'
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
  filePaths: [/^\/dashboard\/projects\/[^/]+\/audiences\/[^/]+\/members$/],
  cachedRows: { audiences: 'NOBODY', audienceMembers: 'NOBODY' },
  personalData: { audiences: 'NOTHING', audienceMembers: 'REDUCED' },
  exportedRows: { audienceMembers: { withheld: 'keyed hashes of ids, from which nobody can be read' } },
  state: { memberHasher: ({ mac }) => new MemberHasher(mac), memberQueue },
  onErase: eraseFromGroups,
  doctor: audienceExamination,
})
