import { sessionRows, sessionsIn } from '../app-sessions'
import { askedChart } from '../asked'

export const sessions = askedChart({
  id: 'sessions',
  title: 'Sessions',
  unit: 'count',
  definition:
    'How often apps reported that they were opened. The days are those of UTC that begin in the cell. Sessions are kept for 400 days.',
  formula: 'number of sessions that were opened',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: (await sessionsIn(handle, scope, cell)).sessions }),
  rows: { value: sessionRows('opens') },
})
