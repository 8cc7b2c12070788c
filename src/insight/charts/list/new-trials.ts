import { entryChart } from '../chart'
import { flow } from '../figure'

export const newTrials = entryChart({
  id: 'new-trials',
  title: 'New trials',
  unit: 'count',
  definition: 'Trials that began in the cell.',
  formula: 'number of trial starts',
  values: { value: flow({ trialStarts: 1 }) },
})
