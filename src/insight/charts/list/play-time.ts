import { sessionRows, sessionsIn } from '../app-sessions'
import { askedChart } from '../asked'

export const playTime = askedChart({
  id: 'play-time',
  title: 'Time in the app',
  unit: 'ms',
  definition:
    'The sum of the lengths of sessions that apps reported. The days are those of UTC that begin in the cell. Sessions are kept for 400 days.',
  formula: 'sum of session lengths',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => ({ value: (await sessionsIn(handle, scope, cell)).playMs }),
  rows: { value: sessionRows('playMs') },
})
