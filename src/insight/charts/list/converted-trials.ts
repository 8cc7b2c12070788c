import { entryChart } from '../chart'
import { flow } from '../figure'

export const convertedTrials = entryChart({
  id: 'converted-trials',
  title: 'Converted trials',
  unit: 'count',
  definition: 'Trials that began in the cell and were charged at whatever later time.',
  formula: 'number of trial starts that were charged',
  values: { value: flow({ trialConverted: 1 }) },
})
