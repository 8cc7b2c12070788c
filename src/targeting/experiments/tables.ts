import { isNotNull, sql } from 'drizzle-orm'
import type { Kit } from '../../base/db/kit'
import type { ExperimentStatus, ExperimentType, Variant } from './model'

/** Whether an assignment is of a visitor of a web page, who is no subscriber. The index and its query need the same text. */
export const OF_VISITOR = sql`substr(subscriber_id, 1, 4) <> 'sub_'`

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
      /** The attribute by which variants are drawn; null = the bucketing id. */
      bucketBy: k.str(),
      /** In declared order; the first is the control. */
      variants: k.json<Variant[]>().notNull(),
      /** The types of events that count as conversions. */
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

  /** The variant that a subscriber, or a visitor of a web page, holds. An existing row is kept whatever is drawn later. */
  assignments: k.table(
    'experiment_assignments',
    {
      experimentId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      projectId: k.str().notNull(),
      variantId: k.str().notNull(),
      hashVersion: k.int().notNull(),
      assignedAt: k.int().notNull(),
      /** The first exposure; the next three columns belong to it. */
      exposedAt: k.int(),
      placementId: k.str(),
      platform: k.str().$type<ExposurePlatform>(),
      country: k.str(),
      /**
       * When the first event of a client converted. Conversions by purchase are not stored; they are counted when
       * results are read.
       */
      convertedAt: k.int(),
      /** When an exposed subscriber came to another variant: by a merge, or because the first variant was removed. */
      crossedAt: k.int(),
    },
    (t) => [
      k.primaryKey({ columns: [t.experimentId, t.subscriberId] }),
      k.index('assignments_subscriber').on(t.subscriberId),
      // Has all columns that results count. Assignments without an exposure are not in it.
      k
        .index('assignments_exposed')
        .on(t.experimentId, t.variantId, t.subscriberId, t.exposedAt, t.convertedAt, t.crossedAt)
        .where(isNotNull(t.exposedAt)),
      k.index('assignments_visitors').on(t.assignedAt).where(OF_VISITOR),
    ],
  ),

  /** Events that clients track. They are kept, because an exposure can arrive after the event that converts it. */
  trackedEvents: k.table(
    'experiment_events',
    {
      position: k.serial(),
      projectId: k.str().notNull(),
      /** The row at that time; after a merge it refers to the survivor. */
      subscriberId: k.str().notNull(),
      type: k.str().notNull(),
      /** The only experiment that the event is meant for; null = every one. */
      experimentKey: k.str(),
      occurredAt: k.int().notNull(),
      recordedAt: k.int().notNull(),
      metadata: k.json<Record<string, unknown> | null>(),
    },
    (t) => [
      k.index('experiment_events_subscriber').on(t.subscriberId, t.occurredAt),
      k.index('experiment_events_recorded').on(t.recordedAt),
    ],
  ),

  /** The pauses of experiments: nothing that happens in a pause is counted. */
  experimentPauses: k.table(
    'experiment_pauses',
    {
      experimentId: k.str().notNull(),
      pausedAt: k.int().notNull(),
      /** Null while it lasts. */
      resumedAt: k.int(),
    },
    (t) => [k.primaryKey({ columns: [t.experimentId, t.pausedAt] })],
  ),
})

export type ExposurePlatform = 'ios' | 'android' | 'web'

type ExperimentTables = ReturnType<typeof experimentTables>

declare module '../../base/db/tables' {
  interface Tables extends ExperimentTables {}
}
