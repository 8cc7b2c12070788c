import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { canonicalJson } from '../../base/lib/hash'
import { type JsonInteger, sumOf, toJsonInteger } from '../../base/lib/int64'
import type { Actor } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { balancesOf } from '../entitlements/subscriber-events'
import { causeOf } from '../events/model'
import { listPurchases, type PurchaseRow, resolvePurchaseIds } from '../purchases/holdings'
import {
  assertLive,
  findByLabel,
  findSubscriber,
  findTransfer,
  markUndone,
  repointBack,
  type SubscriberRow,
  type TransferRow,
  updateSubscriber,
} from '../subscribers/service'
import { inEverySlice } from './on-merge'
import { UNDO_MS } from './transfer'
import { auditUndo } from './transfer-audit'
import { recordBothSides } from './transferred'

export interface Undone {
  transferId: string
  restoredSubscriberId: string
  purchases: PurchaseRow[]
  /** Sums over all currencies. */
  creditsReturned: JsonInteger
  creditsShortfall: JsonInteger
}

interface Undoing {
  requestId: string
  /** The person of the dashboard who undoes it; null when the customer's server does. */
  actor: Actor | null
}

/** A transfer and its two rows. */
interface Case {
  transfer: TransferRow
  /** The source of the transfer. The undo moves everything back to it. */
  from: SubscriberRow
  to: SubscriberRow
}

/**
 * Undoes a transfer (wire 2.9): moves back exactly what moved; of currencies, no more than the present balance holds.
 * 409 when that is no longer possible; then nothing is written.
 */
export const undoTransfer = (
  ctx: Context,
  project: ProjectState,
  id: string,
  { requestId, actor }: Undoing,
): Promise<Undone> =>
  ctx.write(async (tx) => {
    const found = await lockCase(tx, project.id, id)
    await refuseIfMovedAgain(tx, found)
    const undone = await moveBack(tx, project, found, requestId)
    await markUndone(tx, id, tx.clock.now())
    if (actor) await auditUndo(tx, project.id, actor, undone)
    return undone
  })

async function lockCase(tx: Tx, projectId: string, id: string): Promise<Case> {
  await tx.lock(`transfer:${id}`)
  const transfer = await findTransfer(tx, projectId, id)
  if (!transfer) throw notFound('transfer', id)
  if (transfer.undoneAt !== null) throw conflict('The transfer was undone already')
  if (tx.clock.now() > transfer.createdAt + UNDO_MS) throw conflict('A transfer can be undone for 30 days')
  const { fromSubscriberId, toSubscriberId } = transfer
  for (const side of [fromSubscriberId, toSubscriberId].sort()) await tx.lock(`subscriber:${side}`)
  const from = await findSubscriber(tx, projectId, fromSubscriberId)
  const to = await findSubscriber(tx, projectId, toSubscriberId)
  if (!from || !to) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return { transfer, from: assertLive(from), to: assertLive(to) }
}

/** 409 when something that moved has moved again since: an undo would take it from a third subscriber. */
async function refuseIfMovedAgain(tx: Tx, { transfer, from, to }: Case): Promise<void> {
  const { isMerge } = transfer.moved
  const purchaseIds = await resolvePurchaseIds(tx, to.projectId, transfer.moved.purchaseIds)
  if (to.mergedInto !== null) throw conflict('The target was merged into another subscriber since')
  if (from.mergedInto !== (isMerge ? to.id : null))
    throw conflict('The source was merged into another subscriber since')
  const owned = (await listPurchases(tx, to.id)).map(({ id }) => id)
  if (purchaseIds.some((id) => !owned.includes(id))) throw conflict('A purchase of the transfer has moved on since')
  if (isMerge) await refuseTakenLabels(tx, { transfer, from, to })
}

async function refuseTakenLabels(tx: Tx, { transfer: { moved }, from, to }: Case): Promise<void> {
  const { label, labelGiven, labelBefore = null } = moved
  if (labelGiven && to.appUserId !== label) throw conflict('The label of the transfer has moved on since')
  const returning = [...(labelGiven ? [labelBefore] : [label])].filter((one) => one !== null)
  for (const one of returning)
    if (await findByLabel(tx, from.projectId, one)) throw conflict('The label is in use by another subscriber since')
}

async function moveBack(tx: Tx, project: ProjectState, found: Case, requestId: string): Promise<Undone> {
  const { transfer, from, to } = found
  const { id: transferId, moved } = transfer
  // In an undo the target is the side that loses.
  const before = { from: await balancesOf(tx, project, to), to: await balancesOf(tx, project, from) }
  const handover = { project, transferId, from, to }
  const { moved: returned, drafts } = await inEverySlice(tx, (part) => part.undo(tx, handover, transfer))
  const rows = moved.isMerge ? await separateRows(tx, found) : { from, to }
  const sides = { project, transferId, from: rows.to, to: rows.from }
  const back = { from: drafts.to, to: drafts.from }
  await recordBothSides(tx, sides, { cause: causeOf('UNDO', requestId), before, drafts: back, moved: returned })
  const { purchaseIds = [], credits = {} } = returned
  const purchases = (await listPurchases(tx, from.id)).filter(({ id }) => purchaseIds.includes(id))
  const sum = sumOf(credits)
  const creditsShortfall = toJsonInteger(sumOf(moved.credits) - sum)
  return { transferId, restoredSubscriberId: from.id, purchases, creditsReturned: toJsonInteger(sum), creditsShortfall }
}

/** Makes two live rows again: restores labels, attributes, and the rows that had been merged into the source. */
async function separateRows(tx: Tx, { transfer, from, to }: Case): Promise<{ from: SubscriberRow; to: SubscriberRow }> {
  const { label, labelGiven, labelBefore = null, attributeKeys, repointedIds = [] } = transfer.moved
  const updatedAt = tx.clock.now()
  const attributes = withoutCopies(to, from, attributeKeys)
  const kept = { appUserId: labelGiven ? labelBefore : to.appUserId, attributes, updatedAt }
  const returned = { appUserId: label, mergedInto: null, updatedAt }
  // The row that loses the label comes first, because a label is unique in the project.
  await updateSubscriber(tx, to.id, kept)
  await updateSubscriber(tx, from.id, returned)
  if (repointedIds.length > 0) await repointBack(tx, repointedIds, { intoId: to.id, fromId: from.id })
  return { from: { ...from, ...returned }, to: { ...to, ...kept } }
}

/** Removes the attributes that the merge copied. One that was changed since belongs to the target and stays. */
function withoutCopies(to: SubscriberRow, from: SubscriberRow, copied: readonly string[]): SubscriberRow['attributes'] {
  const isCopy = (key: string) => canonicalJson(to.attributes[key]) === canonicalJson(from.attributes[key])
  return Object.fromEntries(Object.entries(to.attributes).filter(([key]) => !copied.includes(key) || !isCopy(key)))
}

const conflict = (message: string): AppError => new AppError('CONFLICT', undefined, { message })
