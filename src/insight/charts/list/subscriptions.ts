import { entryChart, inGroup } from '../chart'
import { atEnd, atStart, flow, share } from '../figure'

/** Of subscriptions that are paid for. */
export const SUBSCRIPTIONS = inGroup('subscriptions', [
  entryChart({
    id: 'active-subscriptions',
    title: 'Active subscriptions',
    unit: 'count',
    definition:
      'Subscriptions that give access at the end of the period and are paid for: neither on a trial, nor granted, nor shared by a family.',
    formula: 'number of paid subscriptions at the end',
    values: { value: atEnd('paid') },
  }),
  entryChart({
    id: 'subscription-movement',
    title: 'Movement of active subscriptions',
    unit: 'count',
    definition:
      'How the number of active subscriptions came from its value at the start of the period to that at its end.',
    formula: 'start + new + reactivated − churned = end',
    values: {
      start: atStart('paid'),
      new: flow({ paidIn: 1, paidAgain: -1 }),
      reactivated: flow({ paidAgain: 1 }),
      churned: flow({ paidOut: 1 }),
      end: atEnd('paid'),
    },
  }),
  entryChart({
    id: 'new-paid-subscriptions',
    title: 'New paid subscriptions',
    unit: 'count',
    definition: 'Subscriptions that were paid for for the first time.',
    formula: 'number of first times',
    values: { value: flow({ paidIn: 1, paidAgain: -1 }) },
  }),
  entryChart({
    id: 'reactivated-subscriptions',
    title: 'Reactivated subscriptions',
    unit: 'count',
    definition: 'Subscriptions that had stopped being paid for and are paid for again.',
    formula: 'number of returns',
    values: { value: flow({ paidAgain: 1 }) },
  }),
  entryChart({
    id: 'churned-subscriptions',
    title: 'Churned subscriptions',
    unit: 'count',
    definition: 'Subscriptions that stopped being paid for. One that leaves twice within a period counts twice.',
    formula: 'number of ends',
    values: { value: flow({ paidOut: 1 }) },
  }),
  entryChart({
    id: 'churn-rate',
    title: 'Churn rate',
    unit: 'share',
    definition:
      'Subscriptions that stopped being paid for in the period, by those that were active at its start. Its rows are those that stopped.',
    formula: 'churned ÷ active at start',
    values: { value: share(flow({ paidOut: 1 }), atStart('paid')) },
  }),
  entryChart({
    id: 'subscription-net-change',
    title: 'Net change of active subscriptions',
    unit: 'count',
    definition: 'Subscriptions that became active less those that stopped.',
    formula: 'new + reactivated − churned',
    values: { value: flow({ paidIn: 1, paidOut: -1 }) },
  }),
  entryChart({
    id: 'subscription-status',
    title: 'Subscriptions by status',
    unit: 'count',
    definition:
      'Every subscription by its status at the end of the period: active, on a trial, in its grace period, in billing retry, paused, expired, refunded or revoked. Those that are shared or given count too.',
    formula: 'trial + active + grace + retry + paused + expired + refunded = all subscriptions',
    values: {
      trial: atEnd('trials'),
      active: atEnd('active'),
      grace: atEnd('grace'),
      retry: atEnd('retry'),
      paused: atEnd('paused'),
      expired: atEnd('expired'),
      refunded: atEnd('refunded'),
    },
  }),
  entryChart({
    id: 'auto-renewing',
    title: 'Subscriptions that are to renew',
    unit: 'count',
    definition:
      'Subscriptions that have not ended at the end of the period and whose auto-renewal is on. Without a word of the store it is on.',
    formula: 'number of subscriptions with auto-renewal',
    values: { value: atEnd('renewing') },
  }),
  entryChart({
    id: 'paused-subscriptions',
    title: 'Paused subscriptions',
    unit: 'count',
    definition: 'Subscriptions that are paused at the end of the period.',
    formula: 'number of paused subscriptions',
    values: { value: atEnd('paused') },
  }),
])
