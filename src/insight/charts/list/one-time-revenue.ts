import { entryChart } from '../chart'
import { flow } from '../figure'

export const oneTimeRevenue = entryChart({
  id: 'one-time-revenue',
  title: 'Revenue of one-time purchases',
  unit: 'USD',
  definition: 'Net revenue of purchases that are no subscriptions.',
  formula: 'gross − refunds of one-time purchases',
  values: { value: flow({ gross: 1, refunds: -1 }) },
  kinds: ['ONCE'],
  unconverted: flow({ unconverted: 1 }),
})
