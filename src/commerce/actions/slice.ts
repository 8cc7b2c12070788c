import { slice } from '../../base/slice'
import { grantCommand } from './grant-command'
import { exportActions, joinActions } from './hooks'
import { actionCron } from './jobs'
import { actionOperatorRoutes } from './operator-routes'
import { refundCommand } from './refund-command'
import { scheduleCommand } from './schedule-command'
import { ACTION_FAILED } from './sweep'
import { actionTables } from './tables'

export const actions = slice({
  name: 'actions',
  tables: actionTables,
  cachedRows: { scheduledActions: 'NOBODY' },
  personalData: { scheduledActions: 'KEPT_WITHOUT_IDENTITY' },
  exportedRows: { scheduledActions: 'purchases.jsonl' },
  onExport: exportActions,
  onJoined: joinActions,
  noticeKinds: [ACTION_FAILED],
  operatorRoutes: actionOperatorRoutes,
  cron: actionCron,
  commands: [grantCommand, refundCommand, scheduleCommand],
})
