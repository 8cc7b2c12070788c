import { MINUTE } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { tellReachedMarks } from './alerts'
import { budgetRoutes } from './operator-routes'
import { BudgetStops } from './stops'
import { budgetTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    budgetStops: BudgetStops
  }
}

/** Alerts at shares of the plan, and the stop of telemetry. */
export const budget = slice({
  name: 'budget',
  tables: budgetTables,
  cachedRows: { budgets: 'NOBODY', budgetAlerts: 'NOBODY' },
  personalData: { budgets: 'NOTHING', budgetAlerts: 'NOTHING' },
  state: { budgetStops: (ctx) => new BudgetStops(ctx) },
  operatorRoutes: budgetRoutes,
  browserHeaders: { exposed: ['X-Svc-Dropped'] },
  loops: [
    {
      name: 'budget alerts',
      everyMs: MINUTE,
      isOn: ({ cloud }) => cloud !== null,
      isRunAtStart: true,
      run: tellReachedMarks,
    },
  ],
})
