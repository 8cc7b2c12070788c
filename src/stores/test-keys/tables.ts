import type { Kit } from '../../base/db/kit'

export const testKeyTables = (k: Kit) => ({
  /** The test stores' signing material, created when each store is first used in a deployment. */
  simulatorKeys: k.table('simulator_keys', {
    /** `ios`, `android` or `payment`. */
    id: k.str().primaryKey(),
    material: k.json<Record<string, unknown>>().notNull(),
    createdAt: k.int().notNull(),
  }),
})

type TestKeyTables = ReturnType<typeof testKeyTables>

declare module '../../base/db/tables' {
  interface Tables extends TestKeyTables {}
}
