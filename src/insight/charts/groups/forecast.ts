import type { Chart } from '../chart'
import { renewals } from '../list/renewals'
import { renewalsDue } from '../list/renewals-due'

/** Of renewals, and of what is to be expected. */
export const FORECAST: readonly Chart[] = [renewals, renewalsDue]
