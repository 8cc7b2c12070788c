import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const activeSubscriptions = entryChart({
  id: 'active-subscriptions',
  title: 'Active subscriptions',
  unit: 'count',
  definition:
    'Subscriptions that give access at the end of the cell and are paid for: neither on a trial, nor granted, nor shared by a family.',
  formula: 'number of paid subscriptions at the end',
  values: { value: atEnd('paid') },
})
