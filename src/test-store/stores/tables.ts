import type { Kit } from '../../base/db/kit'

export const simulatorTables = (k: Kit) => ({
  /** Purchases at the test stores. */
  simulatorChains: k.table(
    'simulator_chains',
    {
      projectId: k.str().notNull(),
      /** Original transaction id, purchase token or the provider's own id. */
      originalTransactionId: k.str().notNull(),
      deviceKey: k.str().notNull(),
      payload: k.json<Record<string, unknown>>().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.originalTransactionId] })],
  ),

  /** The common state of a project's test stores: how far their clock was advanced, and the simulated faults. */
  simulatorStores: k.table('simulator_stores', {
    projectId: k.str().primaryKey(),
    state: k.json<Record<string, unknown>>().notNull(),
  }),

  /** Messages of the test stores that were not delivered yet. */
  simulatorMessages: k.table(
    'simulator_messages',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** The order of the messages. */
      seq: k.int().notNull(),
      deviceKey: k.str().notNull(),
      type: k.str().notNull(),
      message: k.json<Record<string, unknown>>().notNull(),
      /** By the clock of the test stores; see `StoreState.leadMs`. */
      deliverAt: k.int().notNull(),
      /** The process that delivers it at present. */
      takenBy: k.str(),
      takenUntil: k.int().notNull(),
      attempts: k.int().notNull(),
      error: k.str(),
    },
    (t) => [k.index('simulator_messages_project').on(t.projectId, t.seq)],
  ),
})

type SimulatorTables = ReturnType<typeof simulatorTables>

declare module '../../base/db/tables' {
  interface Tables extends SimulatorTables {}
}
