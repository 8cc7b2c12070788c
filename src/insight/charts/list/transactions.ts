import { entryChart, inGroup } from '../chart'
import { flow, mean, share } from '../figure'

/** Of charges. */
export const TRANSACTIONS = inGroup('transactions', [
  entryChart({
    id: 'transactions',
    title: 'Paid transactions',
    unit: 'count',
    definition: 'Charges above zero, whether or not they were given back later.',
    formula: 'number of charges above zero',
    values: { value: flow({ charges: 1 }) },
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'subscription-transactions',
    title: 'Paid transactions of subscriptions',
    unit: 'count',
    definition: 'Charges above zero of subscriptions: first payments and renewals.',
    formula: 'number of charges above zero of subscriptions',
    values: { value: flow({ charges: 1 }) },
    kinds: ['LINE'],
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'one-time-transactions',
    title: 'Paid one-time purchases',
    unit: 'count',
    definition: 'Charges above zero of purchases that are no subscriptions.',
    formula: 'number of charges above zero of one-time purchases',
    values: { value: flow({ charges: 1 }) },
    kinds: ['ONCE'],
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'average-transaction',
    title: 'Average transaction',
    unit: 'USD',
    definition: 'What a charge above zero amounts to on average, before refunds.',
    formula: 'gross ÷ number of charges above zero',
    values: { value: mean(flow({ gross: 1 }), flow({ charges: 1 })) },
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'refunded-transactions',
    title: 'Refunded transactions',
    unit: 'count',
    definition:
      'Charges above zero of which something was given back, at whatever later time; on the day of the charge. A reversed refund is not refunded.',
    formula: 'number of charges with returned money',
    values: { value: flow({ returned: 1 }) },
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'refund-rate',
    title: 'Refund rate',
    unit: 'share',
    definition:
      'The share of charges above zero of which something was given back, at whatever later time; by the day of the charge. Its rows are the charges that were given back.',
    formula: 'refunded charges ÷ charges',
    values: { value: share(flow({ returned: 1 }), flow({ charges: 1 })) },
    unconverted: flow({ unconvertedCharges: 1 }),
  }),
  entryChart({
    id: 'unconverted-lines',
    title: 'Money lines without a rate',
    unit: 'count',
    definition:
      'Charges and refunds that no chart of money can count, because no exchange rate is known for their currency on their day or earlier.',
    formula: 'number of money lines without a rate',
    values: { value: flow({ unconverted: 1 }) },
  }),
])
