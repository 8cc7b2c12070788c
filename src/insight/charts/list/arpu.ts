import { countActive } from '../../figures/people'
import { peopleChart } from '../asked'
import { netPerHead } from '../per-head'

export const arpu = peopleChart({
  id: 'arpu',
  title: 'Revenue of an active subscriber',
  unit: 'USD',
  definition:
    'Net revenue of the cell by the subscribers who had a paid subscription at any time of it. It can be high where many buy without a subscription. An average has no rows.',
  formula: 'net ÷ active subscribers',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await netPerHead(handle, scope, cell, countActive) }),
  rows: {},
})
