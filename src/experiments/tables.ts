import type { Kit } from '../db/kit'

export const experimentTables = (k: Kit) => ({
  /** The variant a subscriber holds; the row that is there wins over any later draw. */
  assignments: k.table(
    'experiment_assignments',
    {
      experimentId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      projectId: k.str().notNull(),
      variantId: k.str().notNull(),
      hashVersion: k.int().notNull(),
      assignedAt: k.int().notNull(),
      exposedAt: k.int(),
      convertedAt: k.int(),
    },
    (t) => [
      k.primaryKey({ columns: [t.experimentId, t.subscriberId] }),
      k.index('assignments_subscriber').on(t.subscriberId),
    ],
  ),
})

/** An assignment that a merge dropped, with all that an undo needs to bring it back. */
export interface KeptAssignment {
  experimentId: string
  variantId: string
  hashVersion: number
  assignedAt: number
  exposedAt: number | null
  convertedAt: number | null
}
