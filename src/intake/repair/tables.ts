import type { Kit } from '../../base/db/kit'

export const repairTables = (k: Kit) => ({
  /** How far a project was searched for charges that an earlier release recorded twice. */
  chargeRepairs: k.table('charge_repairs', {
    projectId: k.str().primaryKey(),
    /** The last original transaction id that was looked at. */
    upTo: k.ordered().notNull(),
    isDone: k.bool().notNull(),
  }),
})

type RepairTables = ReturnType<typeof repairTables>

declare module '../../base/db/tables' {
  interface Tables extends RepairTables {}
}
