import { slice } from '../../base/slice'
import { repairExamination } from './doctor'
import { repairCron } from './jobs'
import { purchasesCommand } from './purchases-command'

/** Purchases that an earlier release recorded as several. */
export const repair = slice({
  name: 'repair',
  cron: repairCron,
  commands: [purchasesCommand],
  doctor: repairExamination,
})
