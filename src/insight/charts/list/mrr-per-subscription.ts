import { entryChart } from '../chart'
import { atEnd, mean } from '../figure'

export const mrrPerSubscription = entryChart({
  id: 'mrr-per-subscription',
  title: 'Recurring revenue of a subscription',
  unit: 'USD',
  definition: 'What an active subscription brings a month on average, at the end of the cell.',
  formula: 'MRR ÷ active subscriptions',
  values: { value: mean(atEnd('mrr'), atEnd('paid')) },
  unconverted: atEnd('unconverted'),
})
