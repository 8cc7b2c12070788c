import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrReactivation = entryChart({
  id: 'mrr-reactivation',
  title: 'Reactivated monthly recurring revenue',
  unit: 'USD',
  definition: 'What subscriptions brought that had recurring revenue before, then none, and have it again.',
  formula: 'sum of increases from zero, not the first time',
  values: { value: flow({ mrrReactivation: 1 }) },
  unconverted: atEnd('unconverted'),
})
