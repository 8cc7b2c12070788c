import { entryChart } from '../chart'
import { atEnd, atStart, flow } from '../figure'

export const trialMovement = entryChart({
  id: 'trial-movement',
  title: 'Movement of active trials',
  unit: 'count',
  definition:
    'How the number of active trials came from its value at the start of the cell to that at its end. A trial ends by being charged as well as by expiring.',
  formula: 'start + started − ended = end',
  values: {
    start: atStart('trials'),
    started: flow({ trialIn: 1 }),
    ended: flow({ trialOut: 1 }),
    end: atEnd('trials'),
  },
})
