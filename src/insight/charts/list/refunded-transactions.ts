import { entryChart } from '../chart'
import { flow } from '../figure'

export const refundedTransactions = entryChart({
  id: 'refunded-transactions',
  title: 'Refunded transactions',
  unit: 'count',
  definition:
    'Charges above zero of which something was given back, at whatever later time; on the day of the charge. A reversed refund is not refunded.',
  formula: 'number of charges with returned money',
  values: { value: flow({ returned: 1 }) },
  unconverted: flow({ unconvertedCharges: 1 }),
})
