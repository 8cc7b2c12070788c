import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const pausedSubscriptions = entryChart({
  id: 'paused-subscriptions',
  title: 'Paused subscriptions',
  unit: 'count',
  definition: 'Subscriptions that are paused at the end of the cell.',
  formula: 'number of paused subscriptions',
  values: { value: atEnd('paused') },
})
