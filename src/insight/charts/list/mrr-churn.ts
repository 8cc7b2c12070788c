import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrChurn = entryChart({
  id: 'mrr-churn',
  title: 'Churned monthly recurring revenue',
  unit: 'USD',
  definition: 'The recurring revenue of subscriptions that have none any more; a positive number.',
  formula: 'sum of decreases to zero',
  values: { value: flow({ mrrChurn: 1 }) },
  unconverted: atEnd('unconverted'),
})
