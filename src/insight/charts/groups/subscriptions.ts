import type { Chart } from '../chart'
import { activeSubscriptions } from '../list/active-subscriptions'
import { churnRate } from '../list/churn-rate'
import { churnedSubscriptions } from '../list/churned-subscriptions'
import { newPaidSubscriptions } from '../list/new-paid-subscriptions'
import { reactivatedSubscriptions } from '../list/reactivated-subscriptions'
import { subscriptionMovement } from '../list/subscription-movement'
import { subscriptionNetChange } from '../list/subscription-net-change'

/** Of subscriptions that are paid for. */
export const SUBSCRIPTIONS: readonly Chart[] = [
  activeSubscriptions,
  subscriptionMovement,
  newPaidSubscriptions,
  reactivatedSubscriptions,
  churnedSubscriptions,
  churnRate,
  subscriptionNetChange,
]
