import { entryChart } from '../chart'
import { flow, share } from '../figure'

export const graceRecoveryRate = entryChart({
  id: 'grace-recovery-rate',
  title: 'Recovery in the grace period',
  unit: 'share',
  definition:
    'Of the grace periods that were left in the cell, the share that was recovered. Its rows are those that were recovered.',
  formula: 'recovered ÷ (recovered + lost)',
  values: { value: share(flow({ graceRecovered: 1 }), flow({ graceRecovered: 1, graceLost: 1 })) },
})
