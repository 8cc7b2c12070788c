import type { Kit } from '../../base/db/kit'
import type { ErasedRows } from '../../people/subscribers/hooks'

export const erasureTables = (k: Kit) => ({
  /** One row for each request whose person is erased in the database. What lies outside of it may still be there. */
  erasures: k.table(
    'erasures',
    {
      /** The request, or the subscriber who was erased again after a restore. */
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      counts: k.json<ErasedRows>().notNull(),
      erasedAt: k.int().notNull(),
      /** When nothing was left in any file; null = not yet. */
      cleanedAt: k.int(),
    },
    (t) => [k.index('erasures_open').on(t.cleanedAt)],
  ),
})

type ErasureTables = ReturnType<typeof erasureTables>

declare module '../../base/db/tables' {
  interface Tables extends ErasureTables {}
}
