import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { findByChain, listByChain, listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { PlayClient } from '../../stores/android/client'
import type { AndroidProductType } from '../../stores/android/notification'
import { isOrderId } from '../../stores/android/order'
import { splitAndroidId } from '../../stores/android/purchase-id'
import {
  type AndroidLook,
  type LookOrder,
  type LookResult,
  type LookTimes,
  lookAt,
  type PlayReader,
  storeFault,
} from './fetch'
import type { RecordedCharge } from './look-refunds'
import { ANDROID } from './tokens'

/** A purchase to fetch by its token. The caller need not know its product. */
export interface TokenOrder {
  purchaseToken: string
  family: AndroidProductType
  storeProductId: string | null
  times?: LookTimes
  readsRefunds?: boolean
}

/** Fetches a purchase from Google. */
export async function lookAtToken(
  ctx: Context,
  client: PlayReader,
  project: ProjectState,
  order: TokenOrder,
): Promise<LookResult> {
  const { held, ...recorded } = await readRecorded(ctx, project.id, order.purchaseToken)
  return lookAt(client, project, {
    ...order,
    ...recorded,
    storeProductId: order.storeProductId ?? held?.fold.storeProductId ?? null,
    now: () => ctx.clock.now(),
  })
}

interface Recorded extends Required<Pick<LookOrder, 'firstOrderId' | 'isRecorded' | 'charges'>> {
  held: PurchaseRow | null
}

/** The record of a token: the first line, the order of its first charge, and the orders of all lines. */
export async function readRecorded(ctx: Context, projectId: string, purchaseToken: string): Promise<Recorded> {
  const lines = await listByChain(ctx, projectId, ANDROID, purchaseToken)
  const held = lines[0] ?? null
  const charges = lines.filter(({ fold }) => fold.refundedAt === null).map(toCharge)
  return { held, firstOrderId: firstOrderOf(held), isRecorded: await readOrders(ctx, lines), charges }
}

const toCharge = ({ lineKey, fold }: PurchaseRow): RecordedCharge => ({
  productId: lineKey || splitAndroidId(fold.storeProductId).productId,
  orderId: fold.storeTransactionId,
  paidUntil: fold.expiresAt,
})

/** Which orders are recorded, for which product. An imported one without a price is not. */
async function readOrders(ctx: Context, lines: readonly PurchaseRow[]): Promise<NonNullable<LookOrder['isRecorded']>> {
  const known = (await Promise.all(lines.map(({ id }) => listObservations(ctx, id)))).flat()
  const parts = known.flatMap((one) =>
    one.kind === 'REPORT' && one.transaction && (!one.imported || one.transaction.price) ? [one.transaction] : [],
  )
  return (orderId, productId) =>
    parts.some(
      ({ transactionId, storeProductId }) =>
        transactionId === orderId && splitAndroidId(storeProductId).productId === productId,
    )
}

/** Null when the purchase or its order is not known. */
const firstOrderOf = (held: PurchaseRow | null): string | null =>
  held && isOrderId(held.originalTransactionId) ? held.originalTransactionId : null

const MAX_CHAIN = 8
/** Say nothing about the purchase. */
const FAULTS: readonly LookResult['kind'][] = ['unavailable', 'rejected', 'unreadable']

/**
 * Adds the purchases that this one replaces and that are not recorded here, the oldest first. The replaced purchase
 * decides the kind of the new one, so the result must not depend on which of the two is recorded first.
 */
export async function withPredecessors(
  ctx: Context,
  client: PlayReader,
  project: ProjectState,
  look: AndroidLook,
): Promise<AndroidLook[]> {
  const looks = [look]
  for (let newest = look; newest.replaced && looks.length < MAX_CHAIN; ) {
    const { purchaseToken } = newest.replaced
    const isKnown = looks.some((one) => one.purchaseToken === purchaseToken)
    if (isKnown || (await findByChain(ctx, project.id, ANDROID, purchaseToken))) break
    const order = { purchaseToken, family: look.family, storeProductId: null }
    const result = await lookAtToken(ctx, client, project, order)
    if (FAULTS.includes(result.kind)) throw storeFault(result)
    if (result.kind !== 'found') break // Too old: Google no longer returns it.
    looks.unshift(result.look)
    newest = result.look
  }
  return looks
}

/**
 * The client; 503 `STORE_UNAVAILABLE` instead of `STORE_NOT_CONFIGURED`, for callers that cannot configure the project.
 */
export async function requireClient(open: () => Promise<PlayClient>): Promise<PlayClient> {
  try {
    return await open()
  } catch (cause) {
    if (cause instanceof AppError && cause.refusal === 'STORE_NOT_CONFIGURED')
      throw new AppError('STORE_UNAVAILABLE', undefined, { cause })
    throw cause
  }
}
