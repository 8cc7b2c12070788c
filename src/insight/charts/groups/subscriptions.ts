import type { Chart } from '../chart'
import { activeSubscriptions } from '../list/active-subscriptions'
import { activeTrials } from '../list/active-trials'
import { churnRate } from '../list/churn-rate'
import { churnedSubscriptions } from '../list/churned-subscriptions'
import { convertedTrials } from '../list/converted-trials'
import { lostTrials } from '../list/lost-trials'
import { newPaidSubscriptions } from '../list/new-paid-subscriptions'
import { newTrials } from '../list/new-trials'
import { pendingTrials } from '../list/pending-trials'
import { reactivatedSubscriptions } from '../list/reactivated-subscriptions'
import { subscriptionMovement } from '../list/subscription-movement'
import { subscriptionNetChange } from '../list/subscription-net-change'
import { trialConversion } from '../list/trial-conversion'
import { trialMovement } from '../list/trial-movement'

/** Of subscriptions and trials. */
export const SUBSCRIPTIONS: readonly Chart[] = [
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
]
