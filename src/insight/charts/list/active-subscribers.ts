import { countChart } from '../counted-people'
import { activeSubscriberRows } from '../customers'

export const activeSubscribers = countChart({
  id: 'active-subscribers',
  title: 'Active subscribers',
  unit: 'count',
  definition: 'Subscribers who had a paid subscription at any time of the cell, each counted once.',
  formula: 'number of subscribers with a paid subscription',
  question: 'ACTIVE',
  rows: { value: activeSubscriberRows },
})
