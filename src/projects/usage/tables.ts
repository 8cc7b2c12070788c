import type { Kit } from '../../base/db/kit'
import type { CountedMeter } from './meters'

export const usageTables = (k: Kit) => ({
  /** What a project used on a UTC day. The sum over all writers is the figure. */
  usageDays: k.table(
    'usage_days',
    {
      projectId: k.str().notNull(),
      meter: k.str().$type<CountedMeter>().notNull(),
      /** Days since 1970. */
      day: k.int().notNull(),
      /**
       * The database connection that counted, so that no transaction waits for the row of another one; 0 where the database
       * has one writer, and for what was joined later.
       */
      writer: k.int().notNull(),
      used: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.meter, t.day, t.writer] })],
  ),
  /** Of the rows that were counted on a UTC day, how many have been deleted since. A recount adds them. */
  usageRemovals: k.table(
    'usage_removals',
    {
      projectId: k.str().notNull(),
      meter: k.str().$type<CountedMeter>().notNull(),
      day: k.int().notNull(),
      removed: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.meter, t.day] })],
  ),
  /** What a project had at the end of a UTC day, or when it was last looked at on that day. */
  usageLevels: k.table(
    'usage_levels',
    {
      /** Empty for what the whole deployment has. */
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      day: k.int().notNull(),
      value: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.name, t.day] })],
  ),
})

type UsageTables = ReturnType<typeof usageTables>

declare module '../../base/db/tables' {
  interface Tables extends UsageTables {}
}
