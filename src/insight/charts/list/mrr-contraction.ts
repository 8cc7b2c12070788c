import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrContraction = entryChart({
  id: 'mrr-contraction',
  title: 'Contracted monthly recurring revenue',
  unit: 'USD',
  definition: 'By how much the recurring revenue of subscriptions shrank that still have some; a positive number.',
  formula: 'sum of decreases to above zero',
  values: { value: flow({ mrrContraction: 1 }) },
  unconverted: atEnd('unconverted'),
})
