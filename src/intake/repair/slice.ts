import { slice } from '../../base/slice'
import { repairExamination } from './doctor'
import { repairCron } from './jobs'
import { purchasesCommand } from './purchases-command'
import { repairTables } from './tables'

/** Purchases that an earlier release recorded as several. */
export const repair = slice({
  name: 'repair',
  tables: repairTables,
  cachedRows: { chargeRepairs: 'NOBODY' },
  personalData: { chargeRepairs: 'NOTHING' },
  cron: repairCron,
  commands: [purchasesCommand],
  doctor: repairExamination,
})
