import type { Kit } from '../../base/db/kit'
import type { CohortDefinition } from './model'
import type { RetentionRow } from './retention'

export const cohortTables = (k: Kit) => ({
  cohorts: k.table(
    'cohorts',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      identifier: k.str().notNull(),
      name: k.str().notNull(),
      definition: k.json<CohortDefinition>().notNull(),
      /** Names the members of this definition in `cohort_members`; another definition gets another list. */
      listId: k.str().notNull(),
      /** Null until the members were found for the first time. */
      size: k.int(),
      /** The instant for which the members were found. */
      computedAt: k.int(),
      /** How long that took. What took long is kept longer. */
      tookMs: k.int(),
      analysis: k.json<RetentionRow[] | null>(),
      analysedAt: k.int(),
      analysisTookMs: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('cohorts_identifier').on(t.projectId, t.identifier)],
  ),
  /** The members of each cohort when it was last computed. */
  cohortMembers: k.table(
    'cohort_members',
    {
      listId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      /** The first event that makes the person a member. */
      startedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.listId, t.subscriberId] })],
  ),
})

type CohortTables = ReturnType<typeof cohortTables>

declare module '../../base/db/tables' {
  interface Tables extends CohortTables {}
}
