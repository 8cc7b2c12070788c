import type { Kit } from '../../db/kit'

export const simulatorTables = (k: Kit) => ({
  /** The test store's signing material, made when the simulator is first used in a deployment; one row. */
  simulatorKeys: k.table('simulator_keys', {
    id: k.str().primaryKey(),
    material: k.json<Record<string, unknown>>().notNull(),
    createdAt: k.int().notNull(),
  }),

  /** What the test store remembers of a chain: the payload that it signed last. */
  simulatorChains: k.table(
    'simulator_chains',
    {
      projectId: k.str().notNull(),
      originalTransactionId: k.str().notNull(),
      deviceKey: k.str().notNull(),
      payload: k.json<Record<string, unknown>>().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.originalTransactionId] })],
  ),
})
