import { slice } from '../../base/slice'
import { conversionCron, convertJob, queueConversion } from './jobs'
import { conversionUse } from './report'
import { conversionTables } from './tables'

/** Amounts of stored transactions in dollars, after an exchange rate arrives or changes. */
export const conversions = slice({
  name: 'conversions',
  tables: conversionTables,
  cachedRows: { rateConversions: 'NOBODY' },
  personalData: { rateConversions: 'NOTHING' },
  onRatesChanged: queueConversion,
  rateUse: conversionUse,
  jobs: [convertJob],
  cron: conversionCron,
})
