import { entryChart } from '../chart'
import { flow, share } from '../figure'

export const billingRecoveryRate = entryChart({
  id: 'billing-recovery-rate',
  title: 'Recovery of billing issues',
  unit: 'share',
  definition:
    'Of the billing issues that ended in the cell, the share that was recovered. Its rows are those that were recovered.',
  formula: 'recovered ÷ (recovered + lost)',
  values: { value: share(flow({ billingRecovered: 1 }), flow({ billingRecovered: 1, billingLost: 1 })) },
})
