import { slice } from '../../base/slice'
import { auditRetention } from './retention'
import { auditTables } from './tables'

export const audit = slice({ name: 'audit', tables: auditTables, retention: [auditRetention] })
