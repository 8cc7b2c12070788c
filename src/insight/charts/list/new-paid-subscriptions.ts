import { entryChart } from '../chart'
import { flow } from '../figure'

export const newPaidSubscriptions = entryChart({
  id: 'new-paid-subscriptions',
  title: 'New paid subscriptions',
  unit: 'count',
  definition: 'Subscriptions that were paid for for the first time.',
  formula: 'number of first times',
  values: { value: flow({ paidIn: 1, paidAgain: -1 }) },
})
