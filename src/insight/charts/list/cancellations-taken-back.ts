import { entryChart } from '../chart'
import { flow } from '../figure'

export const cancellationsTakenBack = entryChart({
  id: 'cancellations-taken-back',
  title: 'Cancellations that were taken back',
  unit: 'count',
  definition: 'How often auto-renewal was switched on again for a subscription that had not ended.',
  formula: 'number of times',
  values: { value: flow({ uncancelled: 1 }) },
})
