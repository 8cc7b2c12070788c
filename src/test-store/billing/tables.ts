import type { Kit } from '../../base/db/kit'
import type { BillingWorld } from './world'

export const billingSimulatorTables = (k: Kit) => ({
  /** The account of a project at the test store that charges for its plan. */
  simulatorBilling: k.table('simulator_billing', {
    projectId: k.str().primaryKey(),
    world: k.json<BillingWorld>().notNull(),
  }),
})

type BillingSimulatorTables = ReturnType<typeof billingSimulatorTables>

declare module '../../base/db/tables' {
  interface Tables extends BillingSimulatorTables {}
}
