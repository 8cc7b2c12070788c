/** Charts by what they are about, as the gallery shows them. What is in no group stands at the end. */
export const GROUPS = {
  money: [
    ...['revenue', 'gross-revenue', 'net-revenue', 'refunds', 'commission', 'proceeds', 'subscription-revenue'],
    ...['subscription-proceeds', 'one-time-revenue', 'one-time-proceeds'],
  ],
  transactions: [
    ...['transactions', 'subscription-transactions', 'one-time-transactions', 'average-transaction'],
    ...['refunded-transactions', 'refund-rate', 'unconverted-lines'],
  ],
  recurring: [
    ...['mrr', 'mrr-movement', 'mrr-new', 'mrr-reactivation', 'mrr-expansion', 'mrr-contraction', 'mrr-churn'],
    ...['mrr-net-change', 'mrr-churn-rate', 'mrr-growth-rate', 'quick-ratio', 'arr', 'mrr-per-subscription'],
  ],
  subscriptions: [
    ...['active-subscriptions', 'subscription-movement', 'new-paid-subscriptions', 'reactivated-subscriptions'],
    ...['churned-subscriptions', 'churn-rate', 'subscription-net-change', 'subscription-status', 'auto-renewing'],
    ...['paused-subscriptions'],
  ],
  endings: [
    ...['cancellations', 'cancellations-taken-back', 'expiry-reasons', 'churn-reasons', 'voluntary-churn-rate'],
    'billing-churn-rate',
  ],
  billing: [
    ...['billing-issues', 'billing-issue-share', 'billing-recovery-rate', 'billing-recovery-time', 'grace-periods'],
    'grace-recovery-rate',
  ],
  forecast: ['renewals', 'renewals-due', 'renewal-forecast', 'retention', 'revenue-cohorts', 'predicted-ltv'],
  trials: [
    ...['active-trials', 'trial-movement', 'new-trials', 'converted-trials', 'pending-trials', 'lost-trials'],
    'trial-conversion',
  ],
  people: [...['arpu', 'arppu', 'active-subscribers', 'paying-subscribers', 'new-customers', 'ltv', 'new-subscribers']],
  app: [
    ...['sessions', 'play-time', 'session-length', 'active-users', 'weekly-active-users', 'monthly-active-users'],
    ...['stickiness', 'webhook-deliveries', 'webhook-success'],
  ],
  usage: ['user-retention', 'virtual-currency', 'experiment-conversion', 'placement-conversion'],
} as const

export type GroupName = keyof typeof GROUPS
