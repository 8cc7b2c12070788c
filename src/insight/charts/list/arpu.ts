import { perHeadChart } from '../counted-people'

export const arpu = perHeadChart({
  id: 'arpu',
  title: 'Revenue of an active subscriber',
  unit: 'USD',
  definition:
    'Net revenue of the cell by the subscribers who had a paid subscription at any time of it. It can be high where many buy without a subscription. An average has no rows.',
  formula: 'net ÷ active subscribers',
  question: 'ACTIVE',
  rows: {},
})
