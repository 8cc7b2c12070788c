import { SharedWork } from '../../base/jobs/shared-work'
import { slice } from '../../base/slice'
import type { OnErase } from '../../people/subscribers/hooks'
import { cohortCron, forgetMembers } from './jobs'
import { cohortOperatorRoutes } from './operator-routes'
import { exportCohorts } from './personal-export'
import { deleteMember } from './queries'
import { cohortTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    coh: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    /** Computations of cohorts that run in this process. */
    cohortWork: SharedWork
  }
}

/** At an erasure: takes the person out of every cohort. */
const eraseMember: OnErase = async (tx, project, { id }) => ({
  cohort_members: { removed: await deleteMember(tx, project.id, id) },
})

/** People by what they did, and how they stayed. */
export const cohorts = slice({
  name: 'cohorts',
  tables: cohortTables,
  cachedRows: { cohorts: 'NOBODY', cohortMembers: 'NOBODY' },
  personalData: { cohorts: 'NOTHING', cohortMembers: 'ERASED' },
  exportedRows: { cohortMembers: 'groups.jsonl' },
  onExport: exportCohorts,
  state: { cohortWork: () => new SharedWork() },
  operatorRoutes: cohortOperatorRoutes,
  jobs: [forgetMembers],
  cron: cohortCron,
  onErase: eraseMember,
})
