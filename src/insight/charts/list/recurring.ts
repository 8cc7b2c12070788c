import { entryChart, inGroup } from '../chart'
import { atEnd, atStart, flow, mean, share } from '../figure'

/** Of monthly recurring revenue. */
export const RECURRING = inGroup('recurring', [
  entryChart({
    id: 'mrr',
    title: 'Monthly recurring revenue',
    unit: 'USD',
    definition:
      'What all running subscriptions bring in a month. Those that are active or in their grace period count, if they are not on a trial and cost more than nothing; a year counts as a twelfth of its price.',
    formula: 'sum of price ÷ months of its period',
    values: { value: atEnd('mrr') },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-movement',
    title: 'Movement of monthly recurring revenue',
    unit: 'USD',
    definition:
      'How monthly recurring revenue came from its value at the start of the period to that at its end. Each change counts at its instant, so a subscription that leaves and returns within a period counts in both.',
    formula: 'start + new + reactivation + expansion − contraction − churn = end',
    values: {
      start: atStart('mrr'),
      new: flow({ mrrNew: 1 }),
      reactivation: flow({ mrrReactivation: 1 }),
      expansion: flow({ mrrExpansion: 1 }),
      contraction: flow({ mrrContraction: 1 }),
      churn: flow({ mrrChurn: 1 }),
      end: atEnd('mrr'),
    },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-new',
    title: 'New monthly recurring revenue',
    unit: 'USD',
    definition: 'What subscriptions brought that had recurring revenue for the first time.',
    formula: 'sum of increases from zero, first time',
    values: { value: flow({ mrrNew: 1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-reactivation',
    title: 'Reactivated monthly recurring revenue',
    unit: 'USD',
    definition: 'What subscriptions brought that had recurring revenue before, then none, and have it again.',
    formula: 'sum of increases from zero, not the first time',
    values: { value: flow({ mrrReactivation: 1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-expansion',
    title: 'Expanded monthly recurring revenue',
    unit: 'USD',
    definition:
      'By how much the recurring revenue of subscriptions grew that had some already: higher prices, other products.',
    formula: 'sum of increases from above zero',
    values: { value: flow({ mrrExpansion: 1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-contraction',
    title: 'Contracted monthly recurring revenue',
    unit: 'USD',
    definition: 'By how much the recurring revenue of subscriptions shrank that still have some; a positive number.',
    formula: 'sum of decreases to above zero',
    values: { value: flow({ mrrContraction: 1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-churn',
    title: 'Churned monthly recurring revenue',
    unit: 'USD',
    definition: 'The recurring revenue of subscriptions that have none any more; a positive number.',
    formula: 'sum of decreases to zero',
    values: { value: flow({ mrrChurn: 1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-net-change',
    title: 'Net change of monthly recurring revenue',
    unit: 'USD',
    definition: 'All that monthly recurring revenue gained less all that it lost.',
    formula: 'new + reactivation + expansion − contraction − churn',
    values: { value: flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1, mrrContraction: -1, mrrChurn: -1 }) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-churn-rate',
    title: 'Churn rate of recurring revenue',
    unit: 'share',
    definition:
      'The recurring revenue that was lost with subscriptions that ended, by the recurring revenue at the start of the period. Its rows are the subscriptions that were lost.',
    formula: 'churn ÷ start',
    values: { value: share(flow({ mrrChurn: 1 }), atStart('mrr')) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-growth-rate',
    title: 'Growth rate of recurring revenue',
    unit: 'share',
    definition:
      'The net change of monthly recurring revenue by its value at the start of the period; negative when it shrank. Its rows are the changes.',
    formula: '(end − start) ÷ start',
    values: {
      value: share(
        flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1, mrrContraction: -1, mrrChurn: -1 }),
        atStart('mrr'),
      ),
    },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'quick-ratio',
    title: 'Quick ratio',
    unit: 'ratio',
    definition: 'Recurring revenue that was gained by recurring revenue that was lost. Its rows are the gains.',
    formula: '(new + reactivation + expansion) ÷ (contraction + churn)',
    values: {
      value: share(flow({ mrrNew: 1, mrrReactivation: 1, mrrExpansion: 1 }), flow({ mrrContraction: 1, mrrChurn: 1 })),
    },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'arr',
    title: 'Annual recurring revenue',
    unit: 'USD',
    definition: 'Twelve times the monthly recurring revenue at the end of the period.',
    formula: 'MRR × 12',
    values: { value: atEnd('mrr', 12) },
    unconverted: atEnd('unconverted'),
  }),
  entryChart({
    id: 'mrr-per-subscription',
    title: 'Recurring revenue of a subscription',
    unit: 'USD',
    definition: 'What an active subscription brings a month on average, at the end of the period.',
    formula: 'MRR ÷ active subscriptions',
    values: { value: mean(atEnd('mrr'), atEnd('paid')) },
    unconverted: atEnd('unconverted'),
  }),
])
