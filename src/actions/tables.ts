import type { Kit } from '../db/kit'

export type ActionStatus = 'PENDING' | 'EXECUTED' | 'CANCELLED' | 'FAILED'
export type ShieldStatus = 'PENDING' | 'SENT' | 'FAILED' | 'SKIPPED_NOT_FOUND' | 'SKIPPED_DISABLED'

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
      error: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('scheduled_actions_purchase').on(t.purchaseId),
      k.index('scheduled_actions_due').on(t.status, t.dueAt),
    ],
  ),

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

  /** The payment provider's customer of a subscriber. */
  paymentCustomers: k.table(
    'payment_customers',
    {
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      customerId: k.str().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.projectId, t.subscriberId] }),
      k.unique('payment_customers_customer').on(t.projectId, t.customerId),
    ],
  ),

  /** Signing keys of access leases; a rotated one stays listed until its last lease has ended. */
  leaseKeys: k.table('lease_keys', {
    kid: k.str().primaryKey(),
    publicJwk: k.json<Record<string, unknown>>().notNull(),
    /** PKCS #8 PEM, sealed with the master key where there is one. */
    privateKey: k.str().notNull(),
    createdAt: k.int().notNull(),
    retiredAt: k.int(),
    lastLeaseEndsAt: k.int().notNull(),
  }),
})
