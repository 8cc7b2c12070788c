import { slice } from '../../base/slice'
import { billingCommand } from './billing-command'
import { usageCommand } from './command'
import { diskExamination } from './disk'
import { usageCron } from './join'
import { levelCron } from './levels'
import { usageRoutes } from './operator-routes'
import { usageTables } from './tables'

/** What each project uses, counted when it happens. */
export const usage = slice({
  name: 'usage',
  tags: [{ name: 'Usage', description: 'What a project uses.' }],
  tables: usageTables,
  cachedRows: { usageDays: 'NOBODY', usageRemovals: 'NOBODY', usageLevels: 'NOBODY' },
  personalData: { usageDays: 'NOTHING', usageRemovals: 'NOTHING', usageLevels: 'NOTHING' },
  operatorRoutes: usageRoutes,
  cron: [...usageCron, ...levelCron],
  commands: [usageCommand, billingCommand],
  doctor: diskExamination,
})
