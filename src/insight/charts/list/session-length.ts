import { sessionsIn } from '../app-sessions'
import { askedChart } from '../asked'
import { roundAway } from '../figure'

export const sessionLength = askedChart({
  id: 'session-length',
  title: 'Length of a session',
  unit: 'ms',
  definition:
    'How long the sessions were on average that apps reported a length of. The days are those of UTC that begin in the cell. Sessions are kept for 400 days. An average has no rows.',
  formula: 'sum of session lengths ÷ number of lengths',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => {
    const { playMs, timed } = await sessionsIn(handle, scope, cell)
    return { value: timed === 0 ? null : roundAway(playMs / timed) }
  },
  rows: {},
})
