import { entryChart } from '../chart'
import { flow } from '../figure'

export const subscriptionProceeds = entryChart({
  id: 'subscription-proceeds',
  title: 'Proceeds of subscriptions',
  unit: 'USD',
  definition: 'Net revenue of subscriptions less what the stores keep of it.',
  formula: 'gross − refunds − commission of subscriptions',
  values: { value: flow({ gross: 1, refunds: -1, commission: -1 }) },
  kinds: ['LINE'],
  unconverted: flow({ unconverted: 1 }),
})
