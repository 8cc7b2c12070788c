import { entryChart } from '../chart'
import { flow, mean } from '../figure'

export const billingRecoveryTime = entryChart({
  id: 'billing-recovery-time',
  title: 'Time to recovery',
  unit: 'ms',
  definition:
    'How long the billing issues were open on average that were recovered in the cell. An average has no rows.',
  formula: 'sum of the times from begin to recovery ÷ number of recovered issues',
  values: { value: mean(flow({ recoveryMs: 1 }), flow({ billingRecovered: 1 })) },
})
