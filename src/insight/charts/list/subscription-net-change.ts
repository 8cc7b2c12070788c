import { entryChart } from '../chart'
import { flow } from '../figure'

export const subscriptionNetChange = entryChart({
  id: 'subscription-net-change',
  title: 'Net change of active subscriptions',
  unit: 'count',
  definition: 'Subscriptions that became active less those that stopped.',
  formula: 'new + reactivated − churned',
  values: { value: flow({ paidIn: 1, paidOut: -1 }) },
})
