import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const activeTrials = entryChart({
  id: 'active-trials',
  title: 'Active trials',
  unit: 'count',
  definition: 'Subscriptions that are on a trial at the end of the cell.',
  formula: 'number of trials at the end',
  values: { value: atEnd('trials') },
})
