import type { Chart } from '../chart'
import { activeUsers } from '../list/active-users'
import { monthlyActiveUsers } from '../list/monthly-active-users'
import { playTime } from '../list/play-time'
import { sessionLength } from '../list/session-length'
import { sessions } from '../list/sessions'
import { stickiness } from '../list/stickiness'
import { webhookDeliveries } from '../list/webhook-deliveries'
import { webhookSuccess } from '../list/webhook-success'
import { weeklyActiveUsers } from '../list/weekly-active-users'

/** Of apps and webhooks. */
export const APP: readonly Chart[] = [
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
