import type { Chart } from './chart'
import { activeSubscribers } from './list/active-subscribers'
import { activeSubscriptions } from './list/active-subscriptions'
import { activeTrials } from './list/active-trials'
import { activeUsers } from './list/active-users'
import { arppu } from './list/arppu'
import { arpu } from './list/arpu'
import { arr } from './list/arr'
import { averageTransaction } from './list/average-transaction'
import { churnRate } from './list/churn-rate'
import { churnedSubscriptions } from './list/churned-subscriptions'
import { commission } from './list/commission'
import { convertedTrials } from './list/converted-trials'
import { grossRevenue } from './list/gross-revenue'
import { lostTrials } from './list/lost-trials'
import { ltv } from './list/ltv'
import { monthlyActiveUsers } from './list/monthly-active-users'
import { mrr } from './list/mrr'
import { mrrChurn } from './list/mrr-churn'
import { mrrChurnRate } from './list/mrr-churn-rate'
import { mrrContraction } from './list/mrr-contraction'
import { mrrExpansion } from './list/mrr-expansion'
import { mrrGrowthRate } from './list/mrr-growth-rate'
import { mrrMovement } from './list/mrr-movement'
import { mrrNetChange } from './list/mrr-net-change'
import { mrrNew } from './list/mrr-new'
import { mrrPerSubscription } from './list/mrr-per-subscription'
import { mrrReactivation } from './list/mrr-reactivation'
import { netRevenue } from './list/net-revenue'
import { newCustomers } from './list/new-customers'
import { newPaidSubscriptions } from './list/new-paid-subscriptions'
import { newSubscribers } from './list/new-subscribers'
import { newTrials } from './list/new-trials'
import { oneTimeProceeds } from './list/one-time-proceeds'
import { oneTimeRevenue } from './list/one-time-revenue'
import { oneTimeTransactions } from './list/one-time-transactions'
import { payingSubscribers } from './list/paying-subscribers'
import { pendingTrials } from './list/pending-trials'
import { playTime } from './list/play-time'
import { proceeds } from './list/proceeds'
import { quickRatio } from './list/quick-ratio'
import { reactivatedSubscriptions } from './list/reactivated-subscriptions'
import { refundRate } from './list/refund-rate'
import { refundedTransactions } from './list/refunded-transactions'
import { refunds } from './list/refunds'
import { revenue } from './list/revenue'
import { sessionLength } from './list/session-length'
import { sessions } from './list/sessions'
import { stickiness } from './list/stickiness'
import { subscriptionMovement } from './list/subscription-movement'
import { subscriptionNetChange } from './list/subscription-net-change'
import { subscriptionProceeds } from './list/subscription-proceeds'
import { subscriptionRevenue } from './list/subscription-revenue'
import { subscriptionTransactions } from './list/subscription-transactions'
import { transactions } from './list/transactions'
import { trialConversion } from './list/trial-conversion'
import { trialMovement } from './list/trial-movement'
import { unconvertedLines } from './list/unconverted-lines'
import { webhookDeliveries } from './list/webhook-deliveries'
import { webhookSuccess } from './list/webhook-success'
import { weeklyActiveUsers } from './list/weekly-active-users'

/** All charts, in the order of their list. */
export const CHARTS: readonly Chart[] = [
  revenue,
  grossRevenue,
  netRevenue,
  refunds,
  commission,
  proceeds,
  subscriptionRevenue,
  subscriptionProceeds,
  oneTimeRevenue,
  oneTimeProceeds,
  transactions,
  subscriptionTransactions,
  oneTimeTransactions,
  averageTransaction,
  refundedTransactions,
  refundRate,
  unconvertedLines,
  mrr,
  mrrMovement,
  mrrNew,
  mrrReactivation,
  mrrExpansion,
  mrrContraction,
  mrrChurn,
  mrrNetChange,
  mrrChurnRate,
  mrrGrowthRate,
  quickRatio,
  arr,
  mrrPerSubscription,
  activeSubscriptions,
  subscriptionMovement,
  newPaidSubscriptions,
  reactivatedSubscriptions,
  churnedSubscriptions,
  churnRate,
  subscriptionNetChange,
  activeTrials,
  trialMovement,
  newTrials,
  convertedTrials,
  pendingTrials,
  lostTrials,
  trialConversion,
  arpu,
  arppu,
  activeSubscribers,
  payingSubscribers,
  newCustomers,
  ltv,
  newSubscribers,
  sessions,
  playTime,
  sessionLength,
  activeUsers,
  weeklyActiveUsers,
  monthlyActiveUsers,
  stickiness,
  webhookDeliveries,
  webhookSuccess,
]
