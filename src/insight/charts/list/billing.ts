import { entryChart, inGroup } from '../chart'
import { atEnd, atStart, flow, mean, share } from '../figure'

/** Of billing issues and grace periods. */
export const BILLING = inGroup('billing', [
  entryChart({
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
  }),
  entryChart({
    id: 'billing-issue-share',
    title: 'Subscriptions with a billing issue',
    unit: 'share',
    definition:
      'Of the subscriptions that are active, in their grace period or in billing retry at the end of the period, the share with a billing issue. Its rows are those with one.',
    formula: '(grace + retry) ÷ (active + grace + retry)',
    values: { value: share(atEnd('troubled'), atEnd('billed')) },
  }),
  entryChart({
    id: 'billing-recovery-rate',
    title: 'Recovery of billing issues',
    unit: 'share',
    definition:
      'Of the billing issues that ended in the period, the share that was recovered. Its rows are those that were recovered.',
    formula: 'recovered ÷ (recovered + lost)',
    values: { value: share(flow({ billingRecovered: 1 }), flow({ billingRecovered: 1, billingLost: 1 })) },
  }),
  entryChart({
    id: 'billing-recovery-time',
    title: 'Time to recovery',
    unit: 'ms',
    definition:
      'How long the billing issues were open on average that were recovered in the period. An average has no rows.',
    formula: 'sum of the times from begin to recovery ÷ number of recovered issues',
    values: { value: mean(flow({ recoveryMs: 1 }), flow({ billingRecovered: 1 })) },
  }),
  entryChart({
    id: 'grace-periods',
    title: 'Grace periods',
    unit: 'count',
    definition:
      'Subscriptions whose grace period began, those that were recovered in it, and those that left it otherwise: into billing retry or to an end. start and end are those that are in it.',
    formula: 'start + entered − recovered − lost = end',
    values: {
      start: atStart('grace'),
      entered: flow({ graceIn: 1 }),
      recovered: flow({ graceRecovered: 1 }),
      lost: flow({ graceLost: 1 }),
      end: atEnd('grace'),
    },
  }),
  entryChart({
    id: 'grace-recovery-rate',
    title: 'Recovery in the grace period',
    unit: 'share',
    definition:
      'Of the grace periods that were left in the period, the share that was recovered. Its rows are those that were recovered.',
    formula: 'recovered ÷ (recovered + lost)',
    values: { value: share(flow({ graceRecovered: 1 }), flow({ graceRecovered: 1, graceLost: 1 })) },
  }),
])
