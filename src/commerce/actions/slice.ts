import { slice } from '../../base/slice'
import { grantCommand } from './grant-command'
import { actionCron } from './jobs'
import { ACTION_FAILED } from './notice-kinds'
import { joinActions } from './on-joined'
import { actionOperatorRoutes } from './operator-routes'
import { exportActions } from './personal-export'
import { refundCommand } from './refund-command'
import { scheduleCommand } from './schedule-command'
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
