import { type Metric, share } from './metric'

const none = () => 0

export const active: Metric = {
  name: 'active',
  summary: 'Active subscriptions and trials',
  definition: 'Purchases that give access at the end of the cell: active are paid for, trials are in their trial.',
  valuesOf: ({ end }) => ({ active: end.paid, trials: end.trials }),
  unconvertedOf: none,
}

export const churn: Metric = {
  name: 'churn',
  summary: 'Purchases that stopped to be paid for',
  definition:
    'rate is churned, the purchases that left their paid status in the cell, by start, those paid at its start.',
  valuesOf: ({ start, sums }) => ({
    start: start.paid,
    churned: sums.paidOut,
    rate: share(sums.paidOut, start.paid),
  }),
  unconvertedOf: none,
}

export const refunds: Metric = {
  name: 'refunds',
  summary: 'Share of charges that were given back',
  definition:
    'Charges above zero of which something was given back, at whatever later time, by all charges above zero; on the day of the charge. A reversed refund is not refunded.',
  valuesOf: ({ sums: { charges, returned } }) => ({ rate: share(returned, charges) }),
  unconvertedOf: ({ sums }) => sums.unconvertedCharges,
}
