import { entryChart } from '../chart'
import { atEnd, flow } from '../figure'

export const mrrNetChange = entryChart({
  id: 'mrr-net-change',
  title: 'Net change of monthly recurring revenue',
  unit: 'USD',
  definition: 'All that monthly recurring revenue gained less all that it lost.',
  formula: 'new + reactivation + expansion − contraction − churn',
  values: { value: flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1, mrrContraction: -1, mrrChurn: -1 }) },
  unconverted: atEnd('unconverted'),
})
