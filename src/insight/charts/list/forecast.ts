import { entryChart, inGroup } from '../chart'
import {
  RETENTION_NAMES,
  RETENTION_ROWS,
  REVENUE_NAMES,
  REVENUE_ROWS,
  retentionCells,
  revenueCells,
} from '../cohort-values'
import { flow } from '../figure'
import { forecastChart } from '../forecast'
import { lifeChart } from '../lifelines'
import { predictor } from '../predicted'

/** Of renewals, of cohorts, and of what is to be expected. */
export const FORECAST = inGroup('forecast', [
  entryChart({
    id: 'renewals',
    title: 'Renewals',
    unit: 'count',
    definition:
      'Charges above zero of a subscription after its first one, also of another product or after a time without one.',
    formula: 'number of later charges above zero',
    values: { value: flow({ renewals: 1 }) },
  }),
  entryChart({
    id: 'renewals-due',
    title: 'Renewals that are due',
    unit: 'count',
    definition:
      'Paid subscriptions that are to renew, by the end of their present period: name a window in the future. In the past these are the ends that no store has explained, with neither a renewal nor a reason.',
    formula: 'number of ends of auto-renewing subscriptions',
    values: { value: flow({ due: 1 }) },
  }),
  forecastChart({
    id: 'renewal-forecast',
    title: 'Renewal forecast',
    unit: 'USD',
    definition:
      'Name a window in the future. due: the last charges of the paid subscriptions that are to renew and whose paid time ends in it, each by its last amount. expected: of that as much as the share of subscriptions that renewed in the 365 days until now: charges after the first one ÷ (these + subscriptions that stopped being paid for), for all groups the same. expected has no rows.',
    formula: 'expected = due × renewals ÷ (renewals + churned) of 365 days',
    valueNames: ['due', 'expected'],
    due: flow({ dueMicros: 1 }),
  }),
  lifeChart({
    id: 'retention',
    title: 'Retention by month of the first payment',
    unit: 'share',
    definition:
      'A heat map: the subscriptions that were first charged more than nothing in the period, and the share of them that is still paid for in each of the 36 months after, in the project’s time zone. A share appears when all of them have reached it. Its rows are those that are paid for. In a project with more than 20,000 charges it is computed at most once an hour; the chart says when.',
    formula: 'paid for after n months ÷ first charged in the period',
    valueNames: RETENTION_NAMES,
    reckon: retentionCells,
    rows: RETENTION_ROWS,
    rowUnit: 'count',
  }),
  lifeChart({
    id: 'revenue-cohorts',
    title: 'Revenue by month of the first payment',
    unit: 'USD',
    definition:
      'A heat map: the subscriptions that were first charged more than nothing in the period, and the net revenue of all of them in their first month, their first two months and so on up to 36, in the project’s time zone. A value appears when all of them have reached it. In a project with more than 20,000 charges it is computed at most once an hour; the chart says when.',
    formula: 'sum of gross − refunds before n months after the first charge',
    valueNames: REVENUE_NAMES,
    reckon: revenueCells,
    rows: REVENUE_ROWS,
  }),
  lifeChart({
    id: 'predicted-ltv',
    title: 'Predicted value of a subscription',
    unit: 'USD',
    definition:
      'What a subscription that was first charged in the period brings in its first 12 months, with its 95 % interval from low to high. It is the mean cumulative function of recurrence data (W. Nelson, Technometrics 37, 1995): the sum of the mean net revenue of each month of age. A month that all subscriptions of the period have completed has their mean; any other has the mean of all subscriptions that have completed it. The variance is the robust one of J. F. Lawless and C. Nadeau (Technometrics 37, 1995), with the two parts taken as independent. Null as long as nobody has completed 12 months. A prediction has no rows. In a project with more than 20,000 charges it is computed at most once an hour; the chart says when.',
    formula: 'sum over 12 months of net revenue ÷ subscriptions, ± 1.96 × standard error',
    valueNames: ['value', 'low', 'high'],
    reckon: predictor,
    rows: {},
    isOfAllTimes: true,
  }),
])
