import { entryChart } from '../chart'
import { flow } from '../figure'

export const lostTrials = entryChart({
  id: 'lost-trials',
  title: 'Lost trials',
  unit: 'count',
  definition: 'Trials that began in the cell and will not be charged any more.',
  formula: 'starts − converted − pending',
  values: { value: flow({ trialStarts: 1, trialConverted: -1, trialPending: -1 }) },
})
