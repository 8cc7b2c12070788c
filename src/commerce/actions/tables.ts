import type { Kit } from '../../base/db/kit'

export type ActionStatus = 'PENDING' | 'EXECUTED' | 'CANCELLED' | 'FAILED'

export const actionTables = (k: Kit) => ({
  scheduledActions: k.table(
    'scheduled_actions',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      purchaseId: k.str().notNull(),
      action: k.str().$type<'CANCEL'>().notNull(),
      revokeImmediately: k.bool().notNull(),
      status: k.str().$type<ActionStatus>().notNull(),
      dueAt: k.int().notNull(),
      /** Why it failed or was not needed; while PENDING, the error of the last try. */
      error: k.str(),
      createdAt: k.int().notNull(),
      /** When it was last changed; from `dueAt` on, when it was last tried, which is also the claim of that try. */
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('scheduled_actions_purchase').on(t.purchaseId),
      k.index('scheduled_actions_project').on(t.projectId, t.id),
      k.index('scheduled_actions_due').on(t.status, t.dueAt),
    ],
  ),
})

type ActionTables = ReturnType<typeof actionTables>

declare module '../../base/db/tables' {
  interface Tables extends ActionTables {}
}
