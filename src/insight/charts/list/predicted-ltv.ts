import { lifeChart } from '../lifelines'
import { predictor } from '../predicted'

export const predictedLtv = lifeChart({
  id: 'predicted-ltv',
  title: 'Predicted value of a subscription',
  unit: 'USD',
  definition:
    'What a subscription that was first charged in the cell brings in its first 12 months, with its 95 % interval from low to high. It is the mean cumulative function of recurrence data (W. Nelson, Technometrics 37, 1995): the sum of the mean net revenue of each month of age. A month that all subscriptions of the cell have completed has their mean; any other has the mean of all subscriptions that have completed it. The variance is the robust one of J. F. Lawless and C. Nadeau (Technometrics 37, 1995), with the two parts taken as independent. Null as long as nobody has completed 12 months. A prediction has no rows. In a project with more than 20,000 charges it is computed at most once an hour; computedAt tells when.',
  formula: 'sum over 12 months of net revenue ÷ subscriptions, ± 1.96 × standard error',
  valueNames: ['value', 'low', 'high'],
  reckon: predictor,
  rows: {},
  isOfAllTimes: true,
})
