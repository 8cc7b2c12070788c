import { entryChart } from '../chart'
import { atEnd, flow, share } from '../figure'

export const quickRatio = entryChart({
  id: 'quick-ratio',
  title: 'Quick ratio',
  unit: 'ratio',
  definition: 'Recurring revenue that was gained by recurring revenue that was lost. Its rows are the gains.',
  formula: '(new + reactivation + expansion) ÷ (contraction + churn)',
  values: {
    value: share(flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1 }), flow({ mrrContraction: 1, mrrChurn: 1 })),
  },
  unconverted: atEnd('unconverted'),
})
