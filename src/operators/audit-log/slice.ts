import { slice } from '../../base/slice'
import { auditCommand } from './command'
import { AUDIT_HEAD, auditCron } from './daily-mail'
import { auditLogRoutes } from './routes'

/** The audit log of a project, for its administrators. */
export const auditLog = slice({
  name: 'audit-log',
  operatorRoutes: auditLogRoutes,
  commands: [auditCommand],
  cron: auditCron,
  noticeKinds: [AUDIT_HEAD],
})
