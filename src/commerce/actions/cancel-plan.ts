import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import type { PurchaseFold, PurchaseStatus } from '../../people/purchases/model'
import type { ProductType, Store } from '../../stores/observation'

export const SOONEST_MS = MINUTE
export const LATEST = 'P2Y'

/** What scheduling a cancellation depends on. */
export interface CancelQuestion {
  store: Store
  productType: ProductType
  status: PurchaseStatus
  /** Another one waits for the same purchase. */
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
  // Nothing of it will be charged again, so there is nothing to call off.
  return productType !== 'SUBSCRIPTION' && !revokeImmediately ? 'one_time' : null
}

const ENDED: readonly PurchaseStatus[] = ['EXPIRED', 'REFUNDED', 'REVOKED']

/** What a due cancellation comes to: nothing is left to cancel, a store is to be asked, or our own word is enough. */
export type CancelStep = 'ended' | 'ask_store' | 'record'

export function planCancel(
  store: Store,
  { status }: { status: PurchaseStatus },
  { expiryReason }: Pick<PurchaseFold, 'expiryReason'>,
): CancelStep {
  if (status === 'REFUNDED' || status === 'REVOKED') return 'ended'
  if (store === 'MANUAL') return status === 'EXPIRED' ? 'ended' : 'record'
  // Past its end, but the store has not said that it ended: word of the renewal may be on its way.
  return status === 'EXPIRED' && expiryReason !== null ? 'ended' : 'ask_store'
}

interface Tried {
  dueAt: number
  /** When it was made or, from `dueAt` on, last tried. */
  updatedAt: number
}

/** How long a try may take; so long nobody else takes it up, and it cannot be called off. */
export const TRY_MS = MINUTE

/** A store that is away is tried again for a day, and at least once. */
export const RETRY_FOR_MS = DAY

/** Waits double, from a minute to an hour: each is as long as all tries before took. */
export function nextTryAt({ dueAt, updatedAt }: Tried): number {
  if (updatedAt < dueAt) return dueAt
  return updatedAt + Math.min(Math.max(updatedAt - dueAt, TRY_MS), HOUR)
}

export const isBeingTried = ({ dueAt, updatedAt }: Tried, now: number): boolean =>
  updatedAt >= dueAt && now < updatedAt + TRY_MS

/** Whether a fault of the store ends the action; `last` is how it stood before this try. */
export const givesUp = (last: Tried, now: number): boolean =>
  last.updatedAt >= last.dueAt && now >= last.dueAt + RETRY_FOR_MS
