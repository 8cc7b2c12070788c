import type { Kit } from '../../base/db/kit'
import type { PlacementRow } from './model'

export const placementTables = (k: Kit) => ({
  placements: k.table(
    'placements',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      name: k.str().notNull(),
      rows: k.json<PlacementRow[]>().notNull(),
      isActive: k.bool().notNull(),
      /** Grows by 1 on every edit. */
      revision: k.int().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('placements_identifier').on(t.projectId, t.identifier)],
  ),
  /** How often apps asked for each placement. */
  placementResolutions: k.table(
    'placement_resolutions',
    { projectId: k.str().notNull(), identifier: k.str().notNull(), resolutions: k.int().notNull() },
    (t) => [k.primaryKey({ columns: [t.projectId, t.identifier] })],
  ),
})

type PlacementTables = ReturnType<typeof placementTables>

declare module '../../base/db/tables' {
  interface Tables extends PlacementTables {}
}
