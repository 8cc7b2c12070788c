import { entryChart } from '../chart'
import { atEnd, atStart, flow } from '../figure'

export const subscriptionMovement = entryChart({
  id: 'subscription-movement',
  title: 'Movement of active subscriptions',
  unit: 'count',
  definition: 'How the number of active subscriptions came from its value at the start of the cell to that at its end.',
  formula: 'start + new + reactivated − churned = end',
  values: {
    start: atStart('paid'),
    new: flow({ paidIn: 1, paidAgain: -1 }),
    reactivated: flow({ paidAgain: 1 }),
    churned: flow({ paidOut: 1 }),
    end: atEnd('paid'),
  },
})
