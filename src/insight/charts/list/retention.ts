import { RETENTION_NAMES, RETENTION_ROWS, retentionCells } from '../cohort-values'
import { lifeChart } from '../lifelines'

export const retention = lifeChart({
  id: 'retention',
  title: 'Retention by month of the first payment',
  unit: 'share',
  definition:
    'A heat map: the subscriptions that were first charged more than nothing in the cell, and the share of them that is paid for n months later as the value mn, from m0 to m36, in the project’s time zone. A share appears when all of them have reached it. Its rows are those that are paid for. In a project with more than 20,000 charges it is computed at most once an hour; computedAt tells when.',
  formula: 'paid for after n months ÷ first charged in the cell',
  valueNames: RETENTION_NAMES,
  reckon: retentionCells,
  rows: RETENTION_ROWS,
  rowUnit: 'count',
})
