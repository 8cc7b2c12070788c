import { entryChart } from '../chart'
import { flow } from '../figure'

export const grossRevenue = entryChart({
  id: 'gross-revenue',
  title: 'Gross revenue',
  unit: 'USD',
  definition: 'The sum of all charges, each on its own day.',
  formula: 'sum of charges',
  values: { value: flow({ gross: 1 }) },
  unconverted: flow({ unconverted: 1 }),
})
