import { entryChart } from '../chart'
import { flow } from '../figure'

export const cancellations = entryChart({
  id: 'cancellations',
  title: 'Cancellations',
  unit: 'count',
  definition:
    'How often auto-renewal was switched off for a subscription that had not ended, by the reason that was known then: the will of the customer, a payment that failed, a price increase that was declined, or another one. A subscription that was not to renew when it became known is not cancelled.',
  formula: 'voluntary + billing + price + other = all cancellations',
  values: {
    voluntary: flow({ cancelVoluntary: 1 }),
    billing: flow({ cancelBilling: 1 }),
    price: flow({ cancelPrice: 1 }),
    other: flow({ cancelOther: 1 }),
  },
})
