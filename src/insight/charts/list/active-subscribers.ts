import { countActive } from '../../figures/people'
import { peopleChart } from '../asked'
import { activeSubscriberRows } from '../customers'

export const activeSubscribers = peopleChart({
  id: 'active-subscribers',
  title: 'Active subscribers',
  unit: 'count',
  definition: 'Subscribers who had a paid subscription at any time of the cell, each counted once.',
  formula: 'number of subscribers with a paid subscription',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await countActive(handle, scope, cell) }),
  rows: { value: activeSubscriberRows },
})
