import type { Kit } from '../../base/db/kit'

export const overviewTables = (k: Kit) => ({
  /** When a key of the project was first used. One row for each project that was ever called. */
  projectFirsts: k.table('project_firsts', {
    projectId: k.str().primaryKey(),
    callAt: k.int().notNull(),
  }),
})

type OverviewTables = ReturnType<typeof overviewTables>

declare module '../../base/db/tables' {
  interface Tables extends OverviewTables {}
}
