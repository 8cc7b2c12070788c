import { entryChart } from '../chart'
import { atEnd, atStart, flow, share } from '../figure'

export const mrrChurnRate = entryChart({
  id: 'mrr-churn-rate',
  title: 'Churn rate of recurring revenue',
  unit: 'share',
  definition:
    'The recurring revenue that was lost with subscriptions that ended, by the recurring revenue at the start of the cell. Its rows are the subscriptions that were lost.',
  formula: 'churn ÷ start',
  values: { value: share(flow({ mrrChurn: 1 }), atStart('mrr')) },
  unconverted: atEnd('unconverted'),
})
