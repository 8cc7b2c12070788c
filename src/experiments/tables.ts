import type { Kit } from '../db/kit'
import type { ExperimentStatus, ExperimentType, Variant } from './model'

export const experimentTables = (k: Kit) => ({
  experiments: k.table(
    'experiments',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      key: k.str().notNull(),
      name: k.str().notNull(),
      type: k.str().$type<ExperimentType>().notNull(),
      status: k.str().$type<ExperimentStatus>().notNull(),
      audienceId: k.str(),
      /** In declared order; the first is the control. */
      variants: k.json<Variant[]>().notNull(),
      /** Types of events that convert. */
      metrics: k.json<string[]>().notNull(),
      mutualExclusionGroup: k.str(),
      placementId: k.str(),
      scheduledStartAt: k.int(),
      scheduledStopAt: k.int(),
      startedAt: k.int(),
      completedAt: k.int(),
      winnerVariantId: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('experiments_key').on(t.projectId, t.key)],
  ),

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
