import type { Kit } from '../../base/db/kit'
import type { RefundOutcome } from './outcome'
import type { RefundShieldStatus } from './plan'

export const refundShieldTables = (k: Kit) => ({
  /** Every request of the iOS store about a refund, with its answer and outcome. */
  refundShieldResponses: k.table(
    'refund_shield_responses',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** The notification with the request; each gets one answer. */
      notificationId: k.str().notNull(),
      /** Null when the transaction is not known here. */
      purchaseId: k.str(),
      subscriberId: k.str(),
      transactionId: k.str().notNull(),
      status: k.str().$type<RefundShieldStatus>().notNull(),
      outcome: k.str().$type<RefundOutcome>(),
      /** When the store reported the outcome, by its own clock. */
      outcomeAt: k.int(),
      attempts: k.int().notNull(),
      /** When the store made the request, by its own clock. */
      askedAt: k.int().notNull(),
      dueAt: k.int().notNull(),
      deadlineAt: k.int().notNull(),
      sentAt: k.int(),
      /** An error code, sometimes followed by a sentence. */
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
