import { entryChart } from '../chart'
import { atStart, flow, share } from '../figure'

export const billingChurnRate = entryChart({
  id: 'billing-churn-rate',
  title: 'Billing churn rate',
  unit: 'share',
  definition:
    'Subscriptions that stopped to be paid for in the cell because a payment failed, by those that were active at its start. Its rows are those that stopped.',
  formula: 'churned for want of a payment ÷ active at start',
  values: { value: share(flow({ churnBilling: 1 }), atStart('paid')) },
})
