import { entryChart } from '../chart'
import { atEnd, atStart, flow } from '../figure'

export const mrrMovement = entryChart({
  id: 'mrr-movement',
  title: 'Movement of monthly recurring revenue',
  unit: 'USD',
  definition:
    'How monthly recurring revenue came from its value at the start of the cell to that at its end. Each change counts at its instant, so a subscription that leaves and returns within a cell counts in both.',
  formula: 'start + new + reactivation + expansion − contraction − churn = end',
  values: {
    start: atStart('mrr'),
    new: flow({ mrrNew: 1 }),
    reactivation: flow({ mrrReactivation: 1 }),
    expansion: flow({ mrrExpansion: 1 }),
    contraction: flow({ mrrContraction: 1 }),
    churn: flow({ mrrChurn: 1 }),
    end: atEnd('mrr'),
  },
  unconverted: atEnd('unconverted'),
})
