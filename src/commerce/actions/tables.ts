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
      /** Why it failed or came to nothing; while PENDING, the fault of the last try. */
      error: k.str(),
      createdAt: k.int().notNull(),
      /** From `dueAt` on, when it was last tried: the claim of whoever tries. */
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('scheduled_actions_purchase').on(t.purchaseId),
      k.index('scheduled_actions_due').on(t.status, t.dueAt),
    ],
  ),
})

type ActionTables = ReturnType<typeof actionTables>

declare module '../../base/db/tables' {
  interface Tables extends ActionTables {}
}
