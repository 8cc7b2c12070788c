import { entryChart } from '../chart'
import { atStart, flow, share } from '../figure'

export const churnRate = entryChart({
  id: 'churn-rate',
  title: 'Churn rate',
  unit: 'share',
  definition:
    'Subscriptions that stopped to be paid for in the cell, by those that were active at its start. Its rows are those that stopped.',
  formula: 'churned ÷ active at start',
  values: { value: share(flow({ paidOut: 1 }), atStart('paid')) },
})
