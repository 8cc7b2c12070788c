import type { Kit } from '../db/kit'

export type ShieldStatus = 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED_NOT_FOUND' | 'SKIPPED_DISABLED'

export const refundShieldTables = (k: Kit) => ({
  refundShieldResponses: k.table(
    'refund_shield_responses',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      subscriberId: k.str(),
      transactionId: k.str().notNull(),
      status: k.str().$type<ShieldStatus>().notNull(),
      outcome: k.str().$type<'REFUND_APPROVED' | 'REFUND_DECLINED' | 'REFUND_REVERSED'>(),
      attempts: k.int().notNull(),
      dueAt: k.int().notNull(),
      deadlineAt: k.int().notNull(),
      sentAt: k.int(),
      error: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('refund_shield_transaction').on(t.projectId, t.transactionId),
      k.index('refund_shield_due').on(t.status, t.dueAt),
    ],
  ),
})
