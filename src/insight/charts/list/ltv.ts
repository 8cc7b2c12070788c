import { netOfPayers } from '../../figures/people'
import { ltvValues } from '../../metrics/ltv'
import { peopleChart } from '../asked'
import { readAllNets } from '../nets'

export const ltv = peopleChart({
  id: 'ltv',
  title: 'Lifetime value of those who paid',
  unit: 'USD',
  definition:
    'Of everyone who was charged more than nothing in the cell: all that they have paid until now less what they got back. median is the middle value, or the mean of the two in the middle; p90 the smallest value that nine in ten do not exceed. In a project with more than 20,000 charges it is computed at most once an hour, because every charge changes the past of its payer; computedAt tells when. Averages have no rows.',
  formula: 'mean, median and 90th percentile of lifetime net',
  valueNames: ['mean', 'median', 'p90'],
  askCell: async (handle, scope, cell) => ltvValues(await netOfPayers(handle, scope, cell)),
  isOfLives: true,
  askAll: readAllNets,
  rows: {},
})
