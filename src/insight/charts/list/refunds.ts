import { entryChart } from '../chart'
import { flow } from '../figure'

export const refunds = entryChart({
  id: 'refunds',
  title: 'Refunds',
  unit: 'USD',
  definition: 'Refunds and chargebacks less their reversals, each on the day on which it happened.',
  formula: 'sum of refunds and chargebacks − reversals',
  values: { value: flow({ refunds: 1 }) },
  unconverted: flow({ unconverted: 1 }),
})
