import { perHeadChart } from '../counted-people'

export const arppu = perHeadChart({
  id: 'arppu',
  title: 'Revenue of a paying subscriber',
  unit: 'USD',
  definition:
    'Net revenue of the cell by the subscribers who were charged more than nothing in it. An average has no rows.',
  formula: 'net ÷ paying subscribers',
  question: 'PAYING',
  rows: {},
})
