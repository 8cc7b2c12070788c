import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { reasonText } from '../../core/reason/reasons'
import { findByChain } from '../../people/purchases/queries'
import { androidClient } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import type { NotificationAction } from '../../stores/android/notification'
import type { Marker, PurchaseEnvironment } from '../../stores/observation'
import { lookAtToken, requireClient, type TokenOrder, withPredecessors } from './chain'
import { type AndroidLook, storeFault } from './fetch'
import { ANDROID } from './tokens'

/** What the store said about the purchase in a notification. `looks` are the purchases fetched, the oldest first. */
export interface AndroidUpdate {
  purchaseToken: string
  looks: AndroidLook[]
  marker: Marker | null
  /** Why no purchase was fetched; null when `looks` or `marker` has something to record. */
  idle: string | null
}

/** `environment` is that of the purchase; null when neither the store nor the record knows it. */
export interface NotifiedUpdate extends AndroidUpdate {
  environment: PurchaseEnvironment | null
}

type Action = Exclude<NotificationAction, { kind: 'IGNORED' }>

/** Fetches the purchase in a notification from the store, outside of any transaction; 503 `STORE_UNAVAILABLE`. */
export async function fetchUpdate(ctx: Context, project: ProjectState, action: Action): Promise<NotifiedUpdate> {
  const { purchaseToken, productType: family } = action
  if (action.kind === 'FETCH') {
    const { storeProductId, chargedAt, revokedAt, partlyRefundedAt } = action
    const times = { chargedAt, revokedAt, partlyRefundedAt }
    return seen(await lookFor(ctx, project, { purchaseToken, family, storeProductId, times }), null)
  }
  const { marker } = action
  const held = await findByChain(ctx, project.id, ANDROID, purchaseToken)
  if (held) return { purchaseToken, looks: [], marker, idle: null, environment: held.environment }
  // A refund does not contain the product, and may arrive before the notification of the purchase.
  return seen(await lookFor(ctx, project, { purchaseToken, family, storeProductId: null }), marker)
}

const seen = (looked: Looked, marker: Marker | null): NotifiedUpdate => ({
  ...looked,
  marker,
  environment: looked.looks.at(-1)?.environment ?? null,
})

type Looked = Omit<AndroidUpdate, 'marker'>

/** Fetches what the store knows about a token; 503 `STORE_UNAVAILABLE` when the store fails. */
export async function lookFor(ctx: Context, project: ProjectState, order: TokenOrder): Promise<Looked> {
  const { purchaseToken } = order
  const client = await requireClient(() => androidClient(ctx, project, purchaseToken))
  client.refused.forget(purchaseToken)
  const result = await lookAtToken(ctx, client, project, order)
  switch (result.kind) {
    case 'found':
      return { purchaseToken, looks: await withPredecessors(ctx, client, project, result.look), idle: null }
    case 'not_paid':
    case 'cancelled':
    case 'mismatch':
    case 'not_found':
      return { purchaseToken, looks: [], idle: IDLE[result.kind] }
    default:
      // Always 503: then the store pushes the notification again, and the fault may be repaired by then.
      throw new AppError('STORE_UNAVAILABLE', undefined, { cause: storeFault(result) })
  }
}

const IDLE = {
  not_paid: reasonText('PURCHASE_NOT_PAID'),
  cancelled: reasonText('PURCHASE_CANCELLED'),
  mismatch: reasonText('PURCHASE_WITHOUT_PRODUCT'),
  not_found: reasonText('PURCHASE_UNKNOWN'),
}
