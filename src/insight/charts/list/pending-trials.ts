import { entryChart } from '../chart'
import { flow } from '../figure'

export const pendingTrials = entryChart({
  id: 'pending-trials',
  title: 'Pending trials',
  unit: 'count',
  definition: 'Trials that began in the cell, were not charged yet, and may still be.',
  formula: 'number of trial starts that are undecided',
  values: { value: flow({ trialPending: 1 }) },
})
