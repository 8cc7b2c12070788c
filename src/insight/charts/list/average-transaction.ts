import { entryChart } from '../chart'
import { flow, mean } from '../figure'

export const averageTransaction = entryChart({
  id: 'average-transaction',
  title: 'Average transaction',
  unit: 'USD',
  definition: 'What a charge above zero amounts to on average, before refunds.',
  formula: 'gross ÷ number of charges above zero',
  values: { value: mean(flow({ gross: 1 }), flow({ charges: 1 })) },
  unconverted: flow({ unconvertedCharges: 1 }),
})
