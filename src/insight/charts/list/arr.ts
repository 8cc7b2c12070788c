import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const arr = entryChart({
  id: 'arr',
  title: 'Annual recurring revenue',
  unit: 'USD',
  definition: 'Twelve times the monthly recurring revenue at the end of the cell.',
  formula: 'MRR × 12',
  values: { value: atEnd('mrr', 12) },
  unconverted: atEnd('unconverted'),
})
