import type { Chart } from '../chart'
import { autoRenewing } from '../list/auto-renewing'
import { billingChurnRate } from '../list/billing-churn-rate'
import { cancellations } from '../list/cancellations'
import { cancellationsTakenBack } from '../list/cancellations-taken-back'
import { churnReasons } from '../list/churn-reasons'
import { expiryReasons } from '../list/expiry-reasons'
import { pausedSubscriptions } from '../list/paused-subscriptions'
import { subscriptionStatus } from '../list/subscription-status'
import { voluntaryChurnRate } from '../list/voluntary-churn-rate'

/** Of the states of subscriptions, and of what ends them. */
export const ENDINGS: readonly Chart[] = [
  subscriptionStatus,
  autoRenewing,
  pausedSubscriptions,
  cancellations,
  cancellationsTakenBack,
  expiryReasons,
  churnReasons,
  voluntaryChurnRate,
  billingChurnRate,
]
