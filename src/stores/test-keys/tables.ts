import type { Kit } from '../../base/db/kit'

export const testKeyTables = (k: Kit) => ({
  /** The signing keys of the projects' test stores, created when each store is first used. */
  simulatorKeys: k.table('simulator_keys', {
    /** The project's id, a colon, and `ios`, `android` or `payment`. */
    id: k.str().primaryKey(),
    /** Encrypted with the master key, for this project and store only. */
    material: k.json<{ sealed: string }>().notNull(),
    createdAt: k.int().notNull(),
  }),
})

type TestKeyTables = ReturnType<typeof testKeyTables>

declare module '../../base/db/tables' {
  interface Tables extends TestKeyTables {}
}
