import { entryChart } from '../chart'
import { atEnd, atStart, flow } from '../figure'

export const gracePeriods = entryChart({
  id: 'grace-periods',
  title: 'Grace periods',
  unit: 'count',
  definition:
    'Subscriptions whose grace period began, those that were recovered in it, and those that left it otherwise: into billing retry or to an end. start and end are those that are in it.',
  formula: 'start + entered − recovered − lost = end',
  values: {
    start: atStart('grace'),
    entered: flow({ graceIn: 1 }),
    recovered: flow({ graceRecovered: 1 }),
    lost: flow({ graceLost: 1 }),
    end: atEnd('grace'),
  },
})
