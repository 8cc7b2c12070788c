import { entryChart } from '../chart'
import { flow, share } from '../figure'

export const refundRate = entryChart({
  id: 'refund-rate',
  title: 'Refund rate',
  unit: 'share',
  definition:
    'The share of charges above zero of which something was given back, at whatever later time; by the day of the charge. Its rows are the charges that were given back.',
  formula: 'refunded charges ÷ charges',
  values: { value: share(flow({ returned: 1 }), flow({ charges: 1 })) },
  unconverted: flow({ unconvertedCharges: 1 }),
})
