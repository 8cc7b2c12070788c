import { entryChart, inGroup } from '../chart'
import { atEnd, atStart, flow, share } from '../figure'

/** Of trials. */
export const TRIALS = inGroup('trials', [
  entryChart({
    id: 'active-trials',
    title: 'Active trials',
    unit: 'count',
    definition: 'Subscriptions that are on a trial at the end of the period.',
    formula: 'number of trials at the end',
    values: { value: atEnd('trials') },
  }),
  entryChart({
    id: 'trial-movement',
    title: 'Movement of active trials',
    unit: 'count',
    definition:
      'How the number of active trials came from its value at the start of the period to that at its end. A trial ends by being charged as well as by expiring.',
    formula: 'start + started − ended = end',
    values: {
      start: atStart('trials'),
      started: flow({ trialIn: 1 }),
      ended: flow({ trialOut: 1 }),
      end: atEnd('trials'),
    },
  }),
  entryChart({
    id: 'new-trials',
    title: 'New trials',
    unit: 'count',
    definition: 'Trials that began in the period.',
    formula: 'number of trial starts',
    values: { value: flow({ trialStarts: 1 }) },
  }),
  entryChart({
    id: 'converted-trials',
    title: 'Converted trials',
    unit: 'count',
    definition: 'Trials that began in the period and were charged at whatever later time.',
    formula: 'number of trial starts that were charged',
    values: { value: flow({ trialConverted: 1 }) },
  }),
  entryChart({
    id: 'pending-trials',
    title: 'Pending trials',
    unit: 'count',
    definition: 'Trials that began in the period, were not charged yet, and may still be.',
    formula: 'number of trial starts that are undecided',
    values: { value: flow({ trialPending: 1 }) },
  }),
  entryChart({
    id: 'lost-trials',
    title: 'Lost trials',
    unit: 'count',
    definition: 'Trials that began in the period and will not be charged any more.',
    formula: 'starts − converted − pending',
    values: { value: flow({ trialStarts: 1, trialConverted: -1, trialPending: -1 }) },
  }),
  entryChart({
    id: 'trial-conversion',
    title: 'Trial conversion',
    unit: 'share',
    definition:
      'The share of trials that began in the period that were charged at whatever later time. Those that are still pending count among the starts; the chart of pending trials tells how many they are. Its rows are the trials that were charged.',
    formula: 'converted ÷ starts',
    values: { value: share(flow({ trialConverted: 1 }), flow({ trialStarts: 1 })) },
  }),
])
