import { activeRows, activesIn } from '../app-sessions'
import { askedChart } from '../asked'

export const activeUsers = askedChart({
  id: 'active-users',
  title: 'Active users',
  unit: 'count',
  definition:
    'Subscribers with at least one session event in the cell, each counted once: daily actives by day, weekly ones by week, monthly ones by month. The days are those of UTC that begin in the cell. Sessions are kept for 400 days.',
  formula: 'number of subscribers with a session event',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await activesIn(handle, scope, cell) }),
  rows: { value: activeRows() },
})
