import { entryChart } from '../chart'
import { flow } from '../figure'

export const subscriptionTransactions = entryChart({
  id: 'subscription-transactions',
  title: 'Paid transactions of subscriptions',
  unit: 'count',
  definition: 'Charges above zero of subscriptions: first payments and renewals.',
  formula: 'number of charges above zero of subscriptions',
  values: { value: flow({ charges: 1 }) },
  kinds: ['LINE'],
  unconverted: flow({ unconvertedCharges: 1 }),
})
