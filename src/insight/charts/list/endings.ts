import { entryChart, inGroup } from '../chart'
import { atStart, flow, share } from '../figure'

/** Of the states of subscriptions, and of what ends them. */
export const ENDINGS = inGroup('endings', [
  entryChart({
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
  }),
  entryChart({
    id: 'cancellations-taken-back',
    title: 'Cancellations that were taken back',
    unit: 'count',
    definition: 'How often auto-renewal was switched on again for a subscription that had not ended.',
    formula: 'number of times',
    values: { value: flow({ uncancelled: 1 }) },
  }),
  entryChart({
    id: 'expiry-reasons',
    title: 'Ends of subscriptions by reason',
    unit: 'count',
    definition:
      'Subscriptions and trials that ended in the period: because the customer did not want to renew, a payment failed, a price increase was declined, the product was no longer sold, the developer ended it, another purchase replaced it, or without a word of the store; and those that were refunded or revoked. A reason that a store tells after the end counts at the end.',
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
  }),
  entryChart({
    id: 'churn-reasons',
    title: 'Churned subscriptions by reason',
    unit: 'count',
    definition:
      'Subscriptions that stopped being paid for: by the will of the customer, for want of a payment, with their money back, or otherwise: paused, ended by the developer or replaced, or without a word of the store. Who is in billing retry has left; a recovery later is a reactivation.',
    formula: 'voluntary + billing + refund + other = churned subscriptions',
    values: {
      voluntary: flow({ churnVoluntary: 1 }),
      billing: flow({ churnBilling: 1 }),
      refund: flow({ churnRefund: 1 }),
      other: flow({ paidOut: 1, churnVoluntary: -1, churnBilling: -1, churnRefund: -1 }),
    },
  }),
  entryChart({
    id: 'voluntary-churn-rate',
    title: 'Voluntary churn rate',
    unit: 'share',
    definition:
      'Subscriptions that stopped being paid for in the period by the will of the customer, by those that were active at its start. Its rows are those that stopped.',
    formula: 'churned by will ÷ active at start',
    values: { value: share(flow({ churnVoluntary: 1 }), atStart('paid')) },
  }),
  entryChart({
    id: 'billing-churn-rate',
    title: 'Billing churn rate',
    unit: 'share',
    definition:
      'Subscriptions that stopped being paid for in the period because a payment failed, by those that were active at its start. Its rows are those that stopped.',
    formula: 'churned for want of a payment ÷ active at start',
    values: { value: share(flow({ churnBilling: 1 }), atStart('paid')) },
  }),
])
