import type { Chart } from './chart'
import { APP } from './list/app'
import { BILLING } from './list/billing'
import { ENDINGS } from './list/endings'
import { FORECAST } from './list/forecast'
import { FUNNELS } from './list/funnels'
import { MONEY } from './list/money'
import { PEOPLE } from './list/people'
import { RECURRING } from './list/recurring'
import { SUBSCRIPTIONS } from './list/subscriptions'
import { TRANSACTIONS } from './list/transactions'
import { TRIALS } from './list/trials'
import { USAGE } from './list/usage'

/** All charts, in the order of their list. */
export const CHARTS: readonly Chart[] = [
  ...MONEY,
  ...TRANSACTIONS,
  ...RECURRING,
  ...SUBSCRIPTIONS,
  ...ENDINGS,
  ...BILLING,
  ...FORECAST,
  ...TRIALS,
  ...PEOPLE,
  ...APP,
  ...USAGE,
  ...FUNNELS,
]
