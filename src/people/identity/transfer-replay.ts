import type { Static } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { notFound } from '../../base/errors'
import type { SavedAnswer } from '../../base/http/idempotency'
import type { ProjectState } from '../../projects/project/state'
import { currentAccess } from '../entitlements/service'
import { listPurchases, type PurchaseRow } from '../purchases/holdings'
import { findSubscriber, findTransfer } from '../subscribers/service'
import { type TransferAnswer, toMoved, type UndoAnswer } from './transfer-wire'

// A subscriber has any number of purchases, so the answers of these routes can be too large to be kept. What is kept is
// the answer without its purchases. A repetition reads those again, and moves nothing.

type Transfer = Static<typeof TransferAnswer>['data']
type Undo = Static<typeof UndoAnswer>['data']

/** How a transfer and its undo answer a repetition. */
export const IDEMPOTENCY = {
  unkept: 'RENDER',
  // What one of the routes has returned.
  reference: (answer: unknown) => ({ ...(answer as { data: Transfer | Undo }).data, purchases: [] }),
} as const

/** The kept part of the answer of a transfer; null for a preview, which runs again. */
export function keptTransfer(replayed: SavedAnswer | null): (Transfer & { transferId: string }) | null {
  if (!replayed) return null
  const kept = JSON.parse(replayed.body) as Transfer
  const { transferId } = kept
  return transferId === null ? null : { ...kept, transferId }
}

export const keptUndo = (replayed: SavedAnswer | null): Undo | null => replayed && (JSON.parse(replayed.body) as Undo)

/** The answer of an earlier transfer, with the moved purchases that the target still has and the access of both now. */
export async function renderTransfer(
  ctx: Context,
  project: ProjectState,
  kept: Transfer & { transferId: string },
): Promise<Transfer> {
  const purchases = await listMoved(ctx, project, kept.transferId, kept.toSubscriberId)
  const accessOf = async (id: string) => {
    const row = await findSubscriber(ctx, project.id, id)
    return row ? currentAccess(ctx, project, row) : {}
  }
  const accessAfter = { from: await accessOf(kept.fromSubscriberId), to: await accessOf(kept.toSubscriberId) }
  return { ...kept, purchases: purchases.map((row) => toMoved(project, row, ctx.clock.now())), accessAfter }
}

/** The answer of an earlier undo, with the purchases that went back and are still there. */
export async function renderUndo(ctx: Context, project: ProjectState, kept: Undo): Promise<Undo> {
  const purchases = await listMoved(ctx, project, kept.transferId, kept.restoredSubscriberId)
  return { ...kept, purchases: purchases.map((row) => toMoved(project, row, ctx.clock.now())) }
}

/** The purchases of a transfer that a subscriber has now. */
async function listMoved(
  handle: Handle,
  project: ProjectState,
  transferId: string,
  ownerId: string,
): Promise<PurchaseRow[]> {
  const transfer = await findTransfer(handle, project.id, transferId)
  if (!transfer) throw notFound('transfer', transferId)
  const moved = new Set(transfer.moved.purchaseIds)
  return (await listPurchases(handle, ownerId)).filter(({ id }) => moved.has(id))
}
