import type { Chart } from '../chart'
import { commission } from '../list/commission'
import { grossRevenue } from '../list/gross-revenue'
import { netRevenue } from '../list/net-revenue'
import { oneTimeProceeds } from '../list/one-time-proceeds'
import { oneTimeRevenue } from '../list/one-time-revenue'
import { proceeds } from '../list/proceeds'
import { refunds } from '../list/refunds'
import { revenue } from '../list/revenue'
import { subscriptionProceeds } from '../list/subscription-proceeds'
import { subscriptionRevenue } from '../list/subscription-revenue'

/** Of money lines. */
export const MONEY: readonly Chart[] = [
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
]
