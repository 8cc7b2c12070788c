import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const mrr = entryChart({
  id: 'mrr',
  title: 'Monthly recurring revenue',
  unit: 'USD',
  definition:
    'At the end of the cell: the price of a period of each subscription that is active or in its grace period, not on a trial and above zero, as a monthly amount.',
  formula: 'sum of price ÷ months of its period',
  values: { value: atEnd('mrr') },
  unconverted: atEnd('unconverted'),
})
