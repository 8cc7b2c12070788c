import type { Chart } from '../chart'
import { predictedLtv } from '../list/predicted-ltv'
import { renewalForecast } from '../list/renewal-forecast'
import { renewals } from '../list/renewals'
import { renewalsDue } from '../list/renewals-due'
import { retention } from '../list/retention'
import { revenueCohorts } from '../list/revenue-cohorts'

/** Of renewals, of cohorts, and of what is to be expected. */
export const FORECAST: readonly Chart[] = [
  renewals,
  renewalsDue,
  renewalForecast,
  retention,
  revenueCohorts,
  predictedLtv,
]
