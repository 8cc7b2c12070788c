import type { Chart } from './chart'
import { APP } from './groups/app'
import { BILLING } from './groups/billing'
import { ENDINGS } from './groups/endings'
import { FORECAST } from './groups/forecast'
import { MONEY } from './groups/money'
import { PEOPLE } from './groups/people'
import { RECURRING } from './groups/recurring'
import { SUBSCRIPTIONS } from './groups/subscriptions'
import { TRANSACTIONS } from './groups/transactions'
import { TRIALS } from './groups/trials'
import { USAGE } from './groups/usage'

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
]
