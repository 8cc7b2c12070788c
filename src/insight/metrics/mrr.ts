import { type Metric, stockUnconverted } from './metric'

export const mrr: Metric = {
  name: 'mrr',
  summary: 'Monthly recurring revenue',
  definition:
    'At the end of a cell: the price of a period of each purchase that is ACTIVE or in its grace period, not in a trial and above zero, as a monthly amount.',
  valuesOf: ({ end }) => ({ mrr: end.mrr }),
  unconvertedOf: stockUnconverted,
}

export const mrrMovement: Metric = {
  name: 'mrr-movement',
  summary: 'How monthly recurring revenue changed',
  definition:
    'start + new + reactivation + expansion − contraction − churn = end. Every change counts at its instant, so a purchase that leaves and returns within a cell counts in both.',
  valuesOf: ({ start, end, sums }) => ({
    start: start.mrr,
    new: sums.mrrNew,
    reactivation: sums.mrrReactivation,
    expansion: sums.mrrExpansion,
    contraction: sums.mrrContraction,
    churn: sums.mrrChurn,
    end: end.mrr,
  }),
  unconvertedOf: stockUnconverted,
}
