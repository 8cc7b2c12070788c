import { entryChart } from '../chart'
import { flow } from '../figure'

export const churnedSubscriptions = entryChart({
  id: 'churned-subscriptions',
  title: 'Churned subscriptions',
  unit: 'count',
  definition: 'Subscriptions that stopped to be paid for. One that leaves twice within a cell counts twice.',
  formula: 'number of ends',
  values: { value: flow({ paidOut: 1 }) },
})
