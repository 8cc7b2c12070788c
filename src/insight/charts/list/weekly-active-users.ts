import { activeRows, activesIn } from '../app-sessions'
import { askedChart } from '../asked'

export const weeklyActiveUsers = askedChart({
  id: 'weekly-active-users',
  title: 'Weekly active users',
  unit: 'count',
  definition:
    'Subscribers with at least one session event in the 7 days that end with the last day of the cell, each counted once. The days are those of UTC that begin in the cell. Sessions are kept for 400 days.',
  formula: 'number of subscribers with a session event in 7 days',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: await activesIn(handle, scope, cell, 7) }),
  rows: { value: activeRows(7) },
})
