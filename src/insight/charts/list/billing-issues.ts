import { entryChart } from '../chart'
import { atEnd, atStart, flow } from '../figure'

export const billingIssues = entryChart({
  id: 'billing-issues',
  title: 'Billing issues',
  unit: 'count',
  definition:
    'A billing issue begins when a subscription gets into its grace period or into billing retry. It is recovered when the subscription then is active, and lost when it ends in another way. start and end are those that are open.',
  formula: 'start + begun − recovered − lost = end',
  values: {
    start: atStart('troubled'),
    begun: flow({ billingIn: 1 }),
    recovered: flow({ billingRecovered: 1 }),
    lost: flow({ billingLost: 1 }),
    end: atEnd('troubled'),
  },
})
