import { flowUnconverted, type Metric } from './metric'

export const proceeds: Metric = {
  name: 'proceeds',
  summary: 'Net less what the stores keep',
  definition:
    'Net less commission: the project’s commissionRates, else 15 % of Google subscriptions, of other iOS and Android purchases 30 % in the first year from the first paid charge and 15 % after it, and nothing at the payment provider. Returned money gives its commission back.',
  valuesOf: ({ sums: { gross, refunds, commission } }) => ({ proceeds: gross - refunds - commission }),
  unconvertedOf: flowUnconverted,
}
