import { countPayers } from '../../figures/people'
import { peopleChart } from '../asked'
import { netPerHead } from '../per-head'

export const arppu = peopleChart({
  id: 'arppu',
  title: 'Revenue of a paying subscriber',
  unit: 'USD',
  definition:
    'Net revenue of the cell by the subscribers who were charged more than nothing in it. An average has no rows.',
  formula: 'net ÷ paying subscribers',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await netPerHead(handle, scope, cell, countPayers) }),
  rows: {},
})
