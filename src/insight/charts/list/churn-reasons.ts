import { entryChart } from '../chart'
import { flow } from '../figure'

export const churnReasons = entryChart({
  id: 'churn-reasons',
  title: 'Churned subscriptions by reason',
  unit: 'count',
  definition:
    'Subscriptions that stopped to be paid for: by the will of the customer, for want of a payment, with their money back, or otherwise: paused, ended by the developer or replaced, or without a word of the store. Who is in billing retry has left; a recovery later is a reactivation.',
  formula: 'voluntary + billing + refund + other = churned subscriptions',
  values: {
    voluntary: flow({ churnVoluntary: 1 }),
    billing: flow({ churnBilling: 1 }),
    refund: flow({ churnRefund: 1 }),
    other: flow({ paidOut: 1, churnVoluntary: -1, churnBilling: -1, churnRefund: -1 }),
  },
})
