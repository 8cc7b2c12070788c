import { slice } from '../../base/slice'
import { findStoreSettings } from '../../projects/project/service'
import { refundShieldCommand } from './command'
import { refundShieldExamination } from './doctor'
import { exportRefundRequests, joinRequests } from './hooks'
import { refundAnswer } from './jobs'
import { refundShieldOperatorRoutes } from './operator-routes'
import { type RefundShieldSettings, readRefundShield } from './settings'
import { refundShieldTables } from './tables'

declare module '../../projects/project/state' {
  interface ProjectParts {
    refundShield: Readonly<RefundShieldSettings>
  }
}

export const refundShield = slice({
  name: 'refund-shield',
  tables: refundShieldTables,
  cachedRows: { refundShieldResponses: 'NOBODY' },
  personalData: { refundShieldResponses: 'KEPT_WITHOUT_IDENTITY' },
  exportedRows: { refundShieldResponses: 'store-messages.jsonl' },
  onExport: exportRefundRequests,
  onJoined: joinRequests,
  projectParts: {
    refundShield: async ({ handle, projectId }) =>
      readRefundShield((await findStoreSettings(handle, projectId, 'refundShield'))?.config ?? {}),
  },
  operatorRoutes: refundShieldOperatorRoutes,
  jobs: [refundAnswer],
  commands: [refundShieldCommand],
  doctor: refundShieldExamination,
})
