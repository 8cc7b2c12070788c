import { entryChart } from '../chart'
import { flow } from '../figure'

export const subscriptionRevenue = entryChart({
  id: 'subscription-revenue',
  title: 'Revenue of subscriptions',
  unit: 'USD',
  definition: 'Net revenue of purchases that are subscriptions.',
  formula: 'gross − refunds of subscriptions',
  values: { value: flow({ gross: 1, refunds: -1 }) },
  kinds: ['LINE'],
  unconverted: flow({ unconverted: 1 }),
})
