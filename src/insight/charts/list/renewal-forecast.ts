import { flow } from '../figure'
import { forecastChart } from '../forecast'

export const renewalForecast = forecastChart({
  id: 'renewal-forecast',
  title: 'Renewal forecast',
  unit: 'USD',
  definition:
    'Name a window in the future. due: the last charges of the paid subscriptions that are to renew and whose period ends in the cell, each by its last amount. expected: of that as much as the share of subscriptions that renewed in the 365 days until now: charges after the first one ÷ (these + subscriptions that stopped to be paid for), for all groups the same. expected has no rows.',
  formula: 'expected = due × renewals ÷ (renewals + churned) of 365 days',
  valueNames: ['due', 'expected'],
  due: flow({ dueMicros: 1 }),
})
