import type { Kit } from '../../base/db/kit'

export const clickhouseTables = (k: Kit) => ({
  /** Rows that were written since they were last copied. Triggers write it, where figures are read from ClickHouse. */
  analyticsChanges: k.table('analytics_changes', {
    position: k.serial(),
    tableName: k.str().notNull(),
    /** The values of the primary key, as a list in JSON. */
    rowKey: k.str().notNull(),
  }),
  /** How far each table is copied. */
  analyticsTables: k.table('analytics_tables', {
    tableName: k.str().primaryKey(),
    /** Of the columns that are copied: with others, everything is copied again. */
    columns: k.str().notNull(),
    /** The version with which copying everything started: what is older afterwards is no longer in the table. */
    since: k.int().notNull(),
    /** The key of the last row that is copied, as a list in JSON; empty at the start. Null = all are copied. */
    doneUntil: k.str(),
    copied: k.int().notNull(),
  }),
  /** One row. */
  analyticsState: k.table('analytics_state', {
    id: k.int().primaryKey(),
    /** Of the last batch that was started. */
    version: k.int().notNull(),
    /** Which process copies, and until when it may. */
    holder: k.str(),
    heldUntil: k.int().notNull(),
    /** Since when replaced rows of erased people wait to be removed; null = none do. */
    erasedAt: k.int(),
  }),
})

type ClickhouseTables = ReturnType<typeof clickhouseTables>

declare module '../../base/db/tables' {
  interface Tables extends ClickhouseTables {}
}
