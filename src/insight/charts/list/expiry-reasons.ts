import { entryChart } from '../chart'
import { flow } from '../figure'

export const expiryReasons = entryChart({
  id: 'expiry-reasons',
  title: 'Ends of subscriptions by reason',
  unit: 'count',
  definition:
    'Subscriptions and trials that ended in the cell: because the customer did not want to renew, a payment failed, a price increase was declined, the product was no longer sold, the developer ended it, another purchase replaced it, or without a word of the store; and those that were refunded or revoked. A reason that a store tells after the end counts at the end.',
  formula: 'voluntary + billing + price + unavailable + developer + replaced + unknown + refund = all ends',
  values: {
    voluntary: flow({ endVoluntary: 1 }),
    billing: flow({ endBilling: 1 }),
    price: flow({ endPrice: 1 }),
    unavailable: flow({ endUnavailable: 1 }),
    developer: flow({ endDeveloper: 1 }),
    replaced: flow({ endReplaced: 1 }),
    unknown: flow({ endUnknown: 1 }),
    refund: flow({ endRefund: 1 }),
  },
})
