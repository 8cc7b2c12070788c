import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'

/** What claims know of the payment of a session. */
export interface ClaimedPayment {
  id: string
  sessionId: string
  status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED'
  productId: string
  purchaseId: string | null
  provider: 'stripe' | 'test'
  objects: { customerId: string | null }
  /** Sealed; null after an erasure. */
  email: string | null
  emailHash: string | null
  paidAt: number | null
}

/** The payments of funnels, for claims. The slice of the payments provides it, because it issues tokens itself. */
export interface PaidSessions {
  /** The latest payment of a session; null when there is none. */
  paymentOf(handle: Handle, sessionId: string): Promise<ClaimedPayment | null>
  /** The settled payments that were made with an address, newest first. */
  settledPayments(handle: Handle, projectId: string, emailHash: string): Promise<ClaimedPayment[]>
  /** The keyed hash of an address, by which its payments are found. */
  emailHash(ctx: Pick<Context, 'mac'>, projectId: string, email: string): string
  /** The address that a payment was made with; null after an erasure, or with another master key. */
  addressOf(ctx: Pick<Context, 'vault'>, payment: ClaimedPayment): string | null
}

/** A session that a subscriber has just claimed, and what its visitor was shown. */
export interface FunnelClaim {
  session: {
    id: string
    visitorId: string | null
    experimentId: string | null
    variantId: string | null
    placement: string | null
    country: string | null
    startedAt: number
  }
  claimer: SubscriberRow
  requestId: string
}

declare module '../../base/state' {
  interface SliceHooks {
    paidSessions: PaidSessions
    /** Runs in the transaction of a claim, when the purchase has moved. */
    onFunnelClaim: (tx: Tx, project: ProjectState, claim: FunnelClaim) => Promise<void>
  }
}
