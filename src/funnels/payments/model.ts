/** wire 4.3: PENDING → PAID or FAILED; PAID → REFUNDED. A decline leaves it PENDING. */
export type FunnelPaymentStatus = 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED'

/** What the provider said last about a payment that is not settled. */
export type UnsettledStatus = 'requires_payment' | 'requires_action' | 'processing'

/** `setup` when nothing is due now, as for a trial. */
export type FunnelPaymentKind = 'payment' | 'setup'

export type FunnelPaymentProvider = 'stripe' | 'test'

/** The objects of a payment at its provider. */
export interface ProviderObjects {
  customerId: string | null
  subscriptionId: string | null
  intentId: string | null
}

/** The metadata key of a funnel sale: the id of its session. */
export const SESSION_KEY = 'svc_funnel_session'
