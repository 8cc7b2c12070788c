import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrNew = entryChart({
  id: 'mrr-new',
  title: 'New monthly recurring revenue',
  unit: 'USD',
  definition: 'What subscriptions brought that had recurring revenue for the first time.',
  formula: 'sum of increases from zero, first time',
  values: { value: flow({ mrrNew: 1 }) },
  unconverted: atEnd('unconverted'),
})
