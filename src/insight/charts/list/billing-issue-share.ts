import { entryChart } from '../chart'
import { atEnd, share } from '../figure'

export const billingIssueShare = entryChart({
  id: 'billing-issue-share',
  title: 'Subscriptions with a billing issue',
  unit: 'share',
  definition:
    'Of the subscriptions that are active, in their grace period or in billing retry at the end of the cell, the share with a billing issue. Its rows are those with one.',
  formula: '(grace + retry) ÷ (active + grace + retry)',
  values: { value: share(atEnd('troubled'), atEnd('billed')) },
})
