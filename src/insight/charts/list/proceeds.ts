import { entryChart } from '../chart'
import { flow } from '../figure'

export const proceeds = entryChart({
  id: 'proceeds',
  title: 'Proceeds',
  unit: 'USD',
  definition: 'Net revenue less what the stores keep.',
  formula: 'gross − refunds − commission',
  values: { value: flow({ gross: 1, refunds: -1, commission: -1 }) },
  unconverted: flow({ unconverted: 1 }),
})
