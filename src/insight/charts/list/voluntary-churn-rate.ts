import { entryChart } from '../chart'
import { atStart, flow, share } from '../figure'

export const voluntaryChurnRate = entryChart({
  id: 'voluntary-churn-rate',
  title: 'Voluntary churn rate',
  unit: 'share',
  definition:
    'Subscriptions that stopped to be paid for in the cell by the will of the customer, by those that were active at its start. Its rows are those that stopped.',
  formula: 'churned by will ÷ active at start',
  values: { value: share(flow({ churnVoluntary: 1 }), atStart('paid')) },
})
