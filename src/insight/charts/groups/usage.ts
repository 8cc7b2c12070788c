import type { Chart } from '../chart'
import { experimentConversion } from '../list/experiment-conversion'
import { placementConversion } from '../list/placement-conversion'
import { userRetention } from '../list/user-retention'
import { virtualCurrency } from '../list/virtual-currency'

/** Of app users, currencies, experiments and placements. */
export const USAGE: readonly Chart[] = [userRetention, virtualCurrency, experimentConversion, placementConversion]
