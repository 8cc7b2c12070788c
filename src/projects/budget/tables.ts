import type { Kit } from '../../base/db/kit'

export const budgetTables = (k: Kit) => ({
  /** The budget of a project. Percents are of the included events. */
  budgets: k.table('budgets', {
    projectId: k.str().primaryKey(),
    /** Ascending, each once. */
    alertsAt: k.json<number[]>().notNull(),
    /** Over it telemetry is dropped; null = never. */
    stopTelemetryAt: k.int(),
  }),
  /** The marks of a month for which notices were sent. */
  budgetAlerts: k.table(
    'budget_alerts',
    {
      projectId: k.str().notNull(),
      /** `2026-11`, of UTC. */
      month: k.str().notNull(),
      percent: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.month, t.percent] })],
  ),
})

type BudgetTables = ReturnType<typeof budgetTables>

declare module '../../base/db/tables' {
  interface Tables extends BudgetTables {}
}
