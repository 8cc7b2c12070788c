import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import type { PurchaseStatus } from '../../core/purchase/status'
import type { PurchaseFold } from '../../people/purchases/model'
import type { ProductType, Store } from '../../stores/observation'

export const SOONEST_MS = MINUTE
export const LATEST = 'P2Y'

/** The facts that decide whether a cancellation can be scheduled. */
export interface CancelQuestion {
  store: Store
  productType: ProductType
  status: PurchaseStatus
  /** Whether the purchase already has a pending action. */
  hasOpenAction: boolean
  revokeImmediately: boolean
  dueAt: number
  now: number
}

export type CancelRefusal =
  | 'too_soon'
  | 'too_late'
  | 'revoke_unsupported'
  | 'store_unsupported'
  | 'one_time'
  | 'terminal'
  | 'pending'

/** Why a cancellation cannot be scheduled (wire 5.13); null when it can. */
export function refuseCancel(question: CancelQuestion): CancelRefusal | null {
  const { store, productType, status, hasOpenAction, revokeImmediately, dueAt, now } = question
  if (dueAt < now + SOONEST_MS) return 'too_soon'
  if (dueAt > addPeriod(now, LATEST)) return 'too_late'
  if (revokeImmediately && store !== 'MANUAL') return 'revoke_unsupported'
  if (store === 'IOS_STORE') return 'store_unsupported'
  if (ENDED.includes(status)) return 'terminal'
  if (hasOpenAction) return 'pending'
  // A one-time purchase is never charged again, so there is no renewal to cancel.
  return productType !== 'SUBSCRIPTION' && !revokeImmediately ? 'one_time' : null
}

const ENDED: readonly PurchaseStatus[] = ['EXPIRED', 'REFUNDED', 'REVOKED']

/** The step for a due cancellation: nothing is left to cancel; the store must be asked; or recording it is enough. */
export type CancelStep = 'ended' | 'ask_store' | 'record'

export function planCancel(
  store: Store,
  { status }: { status: PurchaseStatus },
  { expiryReason }: Pick<PurchaseFold, 'expiryReason'>,
): CancelStep {
  if (status === 'REFUNDED' || status === 'REVOKED') return 'ended'
  if (store === 'MANUAL') return status === 'EXPIRED' ? 'ended' : 'record'
  // After its end, but without a report that it expired, a notification of the renewal may still arrive.
  return status === 'EXPIRED' && expiryReason !== null ? 'ended' : 'ask_store'
}

interface Tried {
  dueAt: number
  /** When it was created; from `dueAt` on, when it was last tried. */
  updatedAt: number
}

/** How long a try may take. During this time no other process tries the action, and it cannot be called off. */
export const TRY_MS = MINUTE

/** After a fault of the store, the action is tried again for a day, and at least once. */
export const RETRY_FOR_MS = DAY

/** When to try next. The wait equals the time since `dueAt`, so it doubles with each try: from a minute to an hour. */
export function nextTryAt({ dueAt, updatedAt }: Tried): number {
  if (updatedAt < dueAt) return dueAt
  return updatedAt + Math.min(Math.max(updatedAt - dueAt, TRY_MS), HOUR)
}

export const isBeingTried = ({ dueAt, updatedAt }: Tried, now: number): boolean =>
  updatedAt >= dueAt && now < updatedAt + TRY_MS

/** Whether a fault of the store ends the action. `last` holds the times before this try. */
export const givesUp = (last: Tried, now: number): boolean =>
  last.updatedAt >= last.dueAt && now >= last.dueAt + RETRY_FOR_MS
