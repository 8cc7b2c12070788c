import { entryChart } from '../chart'
import { flow } from '../figure'

export const oneTimeProceeds = entryChart({
  id: 'one-time-proceeds',
  title: 'Proceeds of one-time purchases',
  unit: 'USD',
  definition: 'Net revenue of one-time purchases less what the stores keep of it.',
  formula: 'gross − refunds − commission of one-time purchases',
  values: { value: flow({ gross: 1, refunds: -1, commission: -1 }) },
  kinds: ['ONCE'],
  unconverted: flow({ unconverted: 1 }),
})
