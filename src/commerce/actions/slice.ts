import { slice } from '../../base/slice'
import { actionCron } from './jobs'
import { actionTables } from './tables'

export const actions = slice({
  name: 'actions',
  tables: actionTables,
  cachedRows: { scheduledActions: 'NOBODY' },
  cron: actionCron,
})
