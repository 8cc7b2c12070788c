import { entryChart } from '../chart'
import { atEnd, atStart, flow, share } from '../figure'

export const mrrGrowthRate = entryChart({
  id: 'mrr-growth-rate',
  title: 'Growth rate of recurring revenue',
  unit: 'share',
  definition:
    'The net change of monthly recurring revenue by its value at the start of the cell; negative when it shrank. Its rows are the changes.',
  formula: '(end − start) ÷ start',
  values: {
    value: share(
      flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1, mrrContraction: -1, mrrChurn: -1 }),
      atStart('mrr'),
    ),
  },
  unconverted: atEnd('unconverted'),
})
