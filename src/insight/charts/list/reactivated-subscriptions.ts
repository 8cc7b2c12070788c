import { entryChart } from '../chart'
import { flow } from '../figure'

export const reactivatedSubscriptions = entryChart({
  id: 'reactivated-subscriptions',
  title: 'Reactivated subscriptions',
  unit: 'count',
  definition: 'Subscriptions that had stopped to be paid for and are paid for again.',
  formula: 'number of returns',
  values: { value: flow({ paidAgain: 1 }) },
})
