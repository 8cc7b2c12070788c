import { entryChart } from '../chart'
import { flow } from '../figure'

export const revenue = entryChart({
  id: 'revenue',
  title: 'Revenue',
  unit: 'USD',
  definition:
    'All charges, all that was given back, and the difference. Each money line counts on its own day; a refund that was reversed counts negative among the refunds.',
  formula: 'net = gross − refunds',
  values: { gross: flow({ gross: 1 }), refunds: flow({ refunds: 1 }), net: flow({ gross: 1, refunds: -1 }) },
  unconverted: flow({ unconverted: 1 }),
})
