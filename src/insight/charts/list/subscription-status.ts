import { entryChart } from '../chart'
import { atEnd } from '../figure'

export const subscriptionStatus = entryChart({
  id: 'subscription-status',
  title: 'Subscriptions by status',
  unit: 'count',
  definition:
    'Every subscription by its status at the end of the cell: active, on a trial, in its grace period, in billing retry, paused, expired, refunded or revoked. Those that are shared or given count too.',
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
})
