import { activeRows, activesIn } from '../app-sessions'
import { askedChart } from '../asked'

export const stickiness = askedChart({
  id: 'stickiness',
  title: 'Stickiness',
  unit: 'share',
  definition:
    'Of the subscribers who were active in the 30 days that end with the last day of the cell, the share that was active on that day. Its rows are those who were active on it. The days are those of UTC that begin in the cell. Sessions are kept for 400 days.',
  formula: 'active on the last day ÷ active in 30 days',
  valueNames: ['value'],
  askCell: async (handle, scope, cell) => {
    const month = await activesIn(handle, scope, cell, 30)
    return { value: month === 0 ? null : (await activesIn(handle, scope, cell, 1)) / month }
  },
  rows: { value: activeRows(1) },
  rowUnit: 'count',
})
