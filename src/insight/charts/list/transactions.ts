import { entryChart } from '../chart'
import { flow } from '../figure'

export const transactions = entryChart({
  id: 'transactions',
  title: 'Paid transactions',
  unit: 'count',
  definition: 'Charges above zero, whether or not they were given back later.',
  formula: 'number of charges above zero',
  values: { value: flow({ charges: 1 }) },
  unconverted: flow({ unconvertedCharges: 1 }),
})
