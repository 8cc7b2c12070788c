import type { Kit } from '../../base/db/kit'
import type { RefundOutcome } from './outcome'
import type { RefundShieldStatus } from './plan'

export const refundShieldTables = (k: Kit) => ({
  /** Every request of the iOS store about a refund, and what became of its answer. */
  refundShieldResponses: k.table(
    'refund_shield_responses',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** The notification that asked: one request, one answer. */
      notificationId: k.str().notNull(),
      /** Null when the transaction is not known here. */
      purchaseId: k.str(),
      subscriberId: k.str(),
      transactionId: k.str().notNull(),
      status: k.str().$type<RefundShieldStatus>().notNull(),
      outcome: k.str().$type<RefundOutcome>(),
      /** When the store told the outcome, by its own clock. */
      outcomeAt: k.int(),
      attempts: k.int().notNull(),
      /** When the store asked, by its own clock. */
      askedAt: k.int().notNull(),
      dueAt: k.int().notNull(),
      deadlineAt: k.int().notNull(),
      sentAt: k.int(),
      /** A code, with a sentence where there is more to say. */
      error: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.unique('refund_shield_request').on(t.projectId, t.notificationId),
      k.index('refund_shield_transaction').on(t.projectId, t.transactionId),
      k.index('refund_shield_project').on(t.projectId, t.createdAt),
    ],
  ),
})

type RefundShieldTables = ReturnType<typeof refundShieldTables>

declare module '../../base/db/tables' {
  interface Tables extends RefundShieldTables {}
}
