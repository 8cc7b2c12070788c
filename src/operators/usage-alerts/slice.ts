import { slice } from '../../base/slice'
import { tellUsage, USAGE_ALERT } from './notice'

/** Notices when a project reaches a mark of its budget. */
export const usageAlerts = slice({
  name: 'usageAlerts',
  noticeKinds: [USAGE_ALERT],
  onBudgetAlert: tellUsage,
})
