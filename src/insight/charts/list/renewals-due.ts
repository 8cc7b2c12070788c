import { entryChart } from '../chart'
import { flow } from '../figure'

export const renewalsDue = entryChart({
  id: 'renewals-due',
  title: 'Renewals that are due',
  unit: 'count',
  definition:
    'Paid subscriptions that are to renew, by the end of their present period: name a window in the future. In the past these are the ends that no store has explained, with neither a renewal nor a reason.',
  formula: 'number of ends of auto-renewing subscriptions',
  values: { value: flow({ due: 1 }) },
})
