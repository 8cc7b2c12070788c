import type { Kit } from '../../base/db/kit'
import type {
  FunnelPaymentKind,
  FunnelPaymentProvider,
  FunnelPaymentStatus,
  ProviderObjects,
  UnsettledStatus,
} from './model'

export const paymentTables = (k: Kit) => ({
  /** What a session was asked to pay, once for each package and life of the intent. */
  funnelPayments: k.table(
    'funnel_payments',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      sessionId: k.str().notNull(),
      pageId: k.str().notNull(),
      provider: k.str().$type<FunnelPaymentProvider>().notNull(),
      kind: k.str().$type<FunnelPaymentKind>().notNull(),
      status: k.str().$type<FunnelPaymentStatus>().notNull(),
      unsettled: k.str().$type<UnsettledStatus>(),
      packageIdentifier: k.str().notNull(),
      productId: k.str().notNull(),
      /** The amount that is due now. */
      amountMicros: k.int().notNull(),
      currency: k.str().notNull(),
      /** The full price of the package, which can be due later than now. */
      priceMicros: k.int().notNull(),
      /** Of a promotion code. */
      discountId: k.str(),
      /** Sealed: the secret with which the page pays. */
      clientSecret: k.str(),
      objects: k.json<ProviderObjects>().notNull(),
      /** The provider's subscription or intent, by which a notification finds the payment. */
      reference: k.str().notNull(),
      /** Sealed; null after an erasure. */
      email: k.str(),
      /** The keyed hash of the address in lower case, by which its buyer is found. */
      emailHash: k.str(),
      /** The fence under which it was made. */
      fence: k.int().notNull(),
      purchaseId: k.str(),
      createdAt: k.int().notNull(),
      expiresAt: k.int().notNull(),
      paidAt: k.int(),
      refundedAt: k.int(),
    },
    (t) => [
      k.index('funnel_payments_session').on(t.sessionId, t.createdAt),
      k.unique('funnel_payments_reference').on(t.projectId, t.provider, t.reference),
      k.index('funnel_payments_email').on(t.projectId, t.emailHash),
      k.index('funnel_payments_purchase').on(t.purchaseId),
    ],
  ),
})

type PaymentTables = ReturnType<typeof paymentTables>

declare module '../../base/db/tables' {
  interface Tables extends PaymentTables {}
}
