import type { Kit } from '../../base/db/kit'

export const chartNoteTables = (k: Kit) => ({
  /** Charts with their parameters, saved under a name. */
  chartViews: k.table(
    'chart_views',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      chartId: k.str().notNull(),
      params: k.json<Record<string, unknown>>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('chart_views_project').on(t.projectId, t.id)],
  ),
  /** What happened at an instant, shown on every chart of the project. */
  chartAnnotations: k.table(
    'chart_annotations',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      at: k.int().notNull(),
      text: k.str().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('chart_annotations_time').on(t.projectId, t.at, t.id)],
  ),
})

type ChartNoteTables = ReturnType<typeof chartNoteTables>

declare module '../../base/db/tables' {
  interface Tables extends ChartNoteTables {}
}
