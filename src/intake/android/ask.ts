import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { findByChain } from '../../people/purchases/queries'
import { androidClient } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import type { NotificationAction } from '../../stores/android/notification'
import type { Marker } from '../../stores/observation'
import { clientOrTrouble, lookAtToken, type TokenOrder, withPredecessors } from './chain'
import { type AndroidLook, storeFault } from './fetch'
import { ANDROID } from './record'

/** What a notification came to once the store was asked; `looks` are the oldest first. */
export interface AndroidNews {
  purchaseToken: string
  looks: AndroidLook[]
  marker: Marker | null
  /** Why there is nothing to look at. */
  idle: string | null
}

type Action = Exclude<NotificationAction, { kind: 'IGNORED' }>

/** Asks the store what a notification only names. No transaction may be open; 503 `STORE_UNAVAILABLE` when it fails. */
export async function fetchNews(ctx: Context, project: ProjectState, action: Action): Promise<AndroidNews> {
  const { purchaseToken, productType: family } = action
  if (action.kind === 'FETCH') {
    const { storeProductId, chargedAt, revokedAt, partlyRefundedAt } = action
    const times = { chargedAt, revokedAt, partlyRefundedAt }
    return { ...(await lookFor(ctx, project, { purchaseToken, family, storeProductId, times })), marker: null }
  }
  const { marker } = action
  const held = await findByChain(ctx, project.id, ANDROID, purchaseToken)
  if (held) return { purchaseToken, looks: [], marker, idle: null }
  // A refund says nothing of what was bought, and might be told first.
  return { ...(await lookFor(ctx, project, { purchaseToken, family, storeProductId: null })), marker }
}

type Looked = Omit<AndroidNews, 'marker'>

/** Asks what the store knows of a token; 503 `STORE_UNAVAILABLE` when it fails. */
export async function lookFor(ctx: Context, project: ProjectState, order: TokenOrder): Promise<Looked> {
  const { purchaseToken } = order
  const client = await clientOrTrouble(() => androidClient(ctx, project, purchaseToken))
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
      // Whatever it is, the store will push again, and somebody may have mended it by then.
      throw new AppError('STORE_UNAVAILABLE', undefined, { cause: storeFault(result) })
  }
}

const IDLE = {
  not_paid: 'the purchase is not paid yet',
  cancelled: 'the purchase was cancelled',
  mismatch: 'the purchase names no product',
  not_found: 'the store does not know the purchase',
}
