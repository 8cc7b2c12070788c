import { SlidingWindow } from '../../base/http/rate-limit'
import { DAY } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { memberCommand } from './command'
import { makeCreatorOwner, searchMembers } from './hooks'
import { joinRoutes } from './join-routes'
import { endMembershipsOf, memberRole } from './memberships'
import { memberRoutes } from './routes'
import { memberTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    /** Invitations that each person mailed within a day. */
    invitationMails: SlidingWindow
  }
}

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    mbr: string
    inv: string
  }
}

/** Who belongs to a project, and who is invited to it. */
export const members = slice({
  name: 'members',
  tables: memberTables,
  cachedRows: { memberships: 'NOBODY', invitations: 'NOBODY' },
  state: { invitationMails: () => new SlidingWindow(DAY) },
  personalData: { memberships: 'NOTHING', invitations: 'NOTHING' },
  operatorRoutes: memberRoutes,
  publicRoutes: joinRoutes,
  commands: [memberCommand],
  memberRole,
  searchObjects: searchMembers,
  onDeleteUser: endMembershipsOf,
  onCreateProject: makeCreatorOwner,
})
