import { entryChart } from '../chart'
import { flow } from '../figure'

export const netRevenue = entryChart({
  id: 'net-revenue',
  title: 'Net revenue',
  unit: 'USD',
  definition: 'All charges less refunds and chargebacks, plus what reversed refunds brought back; each on its own day.',
  formula: 'gross − refunds',
  values: { value: flow({ gross: 1, refunds: -1 }) },
  unconverted: flow({ unconverted: 1 }),
})
