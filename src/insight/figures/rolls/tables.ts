import type { Kit } from '../../../base/db/kit'
import type { PurchaseEnvironment } from '../../../stores/observation'
import { type EntryKind, VALUE_NAMES, type ValueName } from '../model'
import { GROUPS, type GroupBy } from '../sums'

const groupColumns = (k: Kit) =>
  Object.fromEntries(GROUPS.map((name) => [name, k.str()])) as Record<GroupBy, ReturnType<Kit['str']>>

const amount = (k: Kit) => k.int().notNull()

const valueColumns = (k: Kit) =>
  Object.fromEntries(VALUE_NAMES.map((name) => [name, amount(k)])) as Record<ValueName, ReturnType<typeof amount>>

/** Sums of entries by calendar day and month, which a loop keeps. They can always be computed again from the entries. */
export const rollTables = (k: Kit) => ({
  /** How far the sums are: a row for everything, whose scope is empty, and one for each project with entries. */
  figureRolls: k.table('figure_rolls', {
    scope: k.str().primaryKey(),
    /** Position of the last entry in the sums. Null for a project whose sums are as far as those of everything. */
    rolledUntil: k.int(),
    /** Of the row for everything: the number of changes of these tables, so that two processes never do the same. */
    turn: k.int().notNull(),
    /** Of a project: the time zone of its days, and everything else that the sums depend on. */
    timezone: k.str().notNull(),
    basis: k.str().notNull(),
  }),
  /** What entries are summed for: all, those with one value of a dimension, those with one value of each. */
  figureGroups: k.table(
    'figure_groups',
    {
      id: k.serial(),
      /** Empty when the sums are to be deleted. */
      projectId: k.str().notNull(),
      environment: k.str().$type<PurchaseEnvironment>().notNull(),
      /** Empty = all entries; the name of one; `*` = every dimension at once. */
      dimension: k.str().notNull(),
      /** Environment, dimension and values as one text. */
      key: k.str().notNull(),
      ...groupColumns(k),
    },
    (t) => [
      k.unique('figure_groups_key').on(t.projectId, t.key),
      k.index('figure_groups_dimension').on(t.projectId, t.environment, t.dimension),
    ],
  ),
  figureSums: k.table(
    'figure_sums',
    {
      groupId: k.int().notNull(),
      /** 0 = a day, 1 = a month. */
      level: k.int().notNull(),
      /** Its first instant. */
      start: k.int().notNull(),
      kind: k.str().$type<EntryKind>().notNull(),
      ...valueColumns(k),
    },
    (t) => [k.primaryKey({ columns: [t.groupId, t.level, t.start, t.kind] })],
  ),
})

type RollTables = ReturnType<typeof rollTables>

declare module '../../../base/db/tables' {
  interface Tables extends RollTables {}
}
