import { entryChart } from '../chart'
import { flow } from '../figure'

export const oneTimeTransactions = entryChart({
  id: 'one-time-transactions',
  title: 'Paid one-time purchases',
  unit: 'count',
  definition: 'Charges above zero of purchases that are no subscriptions.',
  formula: 'number of charges above zero of one-time purchases',
  values: { value: flow({ charges: 1 }) },
  kinds: ['ONCE'],
  unconverted: flow({ unconvertedCharges: 1 }),
})
