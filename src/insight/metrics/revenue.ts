import { flowUnconverted, type Metric } from './metric'

export const revenue: Metric = {
  name: 'revenue',
  summary: 'Gross, refunds and net',
  definition:
    'gross is the sum of all charges, refunds the sum of all refunds and chargebacks less their reversals, net the difference; each on the day of its money line.',
  valuesOf: ({ sums: { gross, refunds } }) => ({ gross, refunds, net: gross - refunds }),
  unconvertedOf: flowUnconverted,
}
