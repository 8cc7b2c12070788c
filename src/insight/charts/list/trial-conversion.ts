import { entryChart } from '../chart'
import { flow, share } from '../figure'

export const trialConversion = entryChart({
  id: 'trial-conversion',
  title: 'Trial conversion',
  unit: 'share',
  definition:
    'The share of trials that began in the cell that were charged at whatever later time. Those that are still pending count among the starts; the chart of pending trials tells how many they are. Its rows are the trials that were charged.',
  formula: 'converted ÷ starts',
  values: { value: share(flow({ trialConverted: 1 }), flow({ trialStarts: 1 })) },
})
