import { entryChart } from '../chart'
import { flow } from '../figure'

export const renewals = entryChart({
  id: 'renewals',
  title: 'Renewals',
  unit: 'count',
  definition:
    'Charges above zero of a subscription after its first one, also of another product or after a time without one.',
  formula: 'number of later charges above zero',
  values: { value: flow({ renewals: 1 }) },
})
