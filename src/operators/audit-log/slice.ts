import { slice } from '../../base/slice'
import { auditCommand } from './command'
import { auditLogRoutes } from './routes'

/** The audit log of a project, for its administrators. */
export const auditLog = slice({ name: 'audit-log', operatorRoutes: auditLogRoutes, commands: [auditCommand] })
