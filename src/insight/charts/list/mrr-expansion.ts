import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrExpansion = entryChart({
  id: 'mrr-expansion',
  title: 'Expanded monthly recurring revenue',
  unit: 'USD',
  definition:
    'By how much the recurring revenue of subscriptions grew that had some already: higher prices, other products.',
  formula: 'sum of increases from above zero',
  values: { value: flow({ mrrExpansion: 1 }) },
  unconverted: atEnd('unconverted'),
})
