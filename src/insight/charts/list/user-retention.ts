import { AGES, nameOfAge, retainedRows, usersRetained } from '../app-retention'
import { askedChart } from '../asked'

export const userRetention = askedChart({
  id: 'user-retention',
  title: 'Retention of app users',
  unit: 'share',
  definition:
    'The subscribers whose first session event fell on a day of the cell, and the share of them that was active 1, 7, 14 and 30 days later, on that day itself. A share appears when that day is over for all of them. The days are those of UTC that begin in the cell. Sessions are kept for 400 days. Its rows are those that were active.',
  formula: 'active n days after the first day ÷ first active in the cell',
  valueNames: AGES.map(nameOfAge),
  askCell: usersRetained,
  rows: Object.fromEntries(AGES.map((age) => [nameOfAge(age), retainedRows(age)])),
  rowUnit: 'count',
})
