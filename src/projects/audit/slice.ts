import { slice } from '../../base/slice'
import { proveFormerJob } from './former'
import { auditRetention } from './retention'
import { auditTables } from './tables'

export const audit = slice({
  name: 'audit',
  tables: auditTables,
  jobs: [proveFormerJob],
  retention: [auditRetention],
})
