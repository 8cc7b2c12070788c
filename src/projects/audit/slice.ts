import { slice } from '../../base/slice'
import { auditTables } from './tables'

export const audit = slice({ name: 'audit', tables: auditTables })
