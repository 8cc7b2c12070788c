import { REVENUE_NAMES, REVENUE_ROWS, revenueCells } from '../cohort-values'
import { lifeChart } from '../lifelines'

export const revenueCohorts = lifeChart({
  id: 'revenue-cohorts',
  title: 'Revenue by month of the first payment',
  unit: 'USD',
  definition:
    'A heat map: the subscriptions that were first charged more than nothing in the cell, and the net revenue of the first n months of all of them as the value mn, from m1 to m36, in the project’s time zone. A value appears when all of them have reached it. In a project with more than 20,000 charges it is computed at most once an hour; computedAt tells when.',
  formula: 'sum of gross − refunds before n months after the first charge',
  valueNames: REVENUE_NAMES,
  reckon: revenueCells,
  rows: REVENUE_ROWS,
})
