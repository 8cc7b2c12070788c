import { type Metric, share } from './metric'

export const trials: Metric = {
  name: 'trials',
  summary: 'Trials that began, and what became of them',
  definition:
    'starts are the trials that began in the cell, converted those of them that were charged at whatever later time, pending those that may still be; conversion is converted by starts.',
  valuesOf: ({ sums: { trialStarts, trialConverted, trialPending } }) => ({
    starts: trialStarts,
    converted: trialConverted,
    pending: trialPending,
    conversion: share(trialConverted, trialStarts),
  }),
  unconvertedOf: () => 0,
}
