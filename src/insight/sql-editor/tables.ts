import type { Kit } from '../../base/db/kit'

export const sqlEditorTables = (k: Kit) => ({
  savedQueries: k.table(
    'saved_queries',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      sql: k.str().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('saved_queries_project').on(t.projectId, t.id)],
  ),
  /** The queries that were executed, without their texts. */
  queryRuns: k.table(
    'query_runs',
    { position: k.serial(), projectId: k.str().notNull(), ranAt: k.int().notNull() },
    (t) => [k.index('query_runs_project').on(t.projectId, t.ranAt)],
  ),
})

type SqlEditorTables = ReturnType<typeof sqlEditorTables>

declare module '../../base/db/tables' {
  interface Tables extends SqlEditorTables {}
}
