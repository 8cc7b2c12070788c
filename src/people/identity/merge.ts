import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { balancesOf } from '../entitlements/subscriber-events'
import type { EventCause } from '../events/model'
import { mergeAttributes } from '../subscribers/attributes'
import {
  findById,
  insertTransfer,
  repointMerged,
  type SubscriberRow,
  type TransferRow,
  updateSubscriber,
} from '../subscribers/queries'
import { NOTHING_MOVED, type TransferMoved } from '../subscribers/transfer-moved'
import { type Handover, inEverySlice, type MovedParts } from './on-merge'
import { recordBothSides } from './transferred'

export interface Merge {
  from: SubscriberRow
  into: SubscriberRow
  cause: EventCause
  transferCause: TransferRow['cause']
  /** Identify: the survivor takes the label too. */
  takesLabel: boolean
}

export interface Merged {
  transferId: string
  moved: TransferMoved
}

/**
 * Merges one subscriber into another (wire 5.6): attributes follow, and what each slice keeps of a subscriber; where
 * both hold the same, the survivor's stays and nothing fails. Both rows are locked, in id order. Rows merged into the
 * first before point to the survivor from now on; which row went where is in the transfers.
 */
export async function mergeSubscribers(tx: Tx, project: ProjectState, merge: Merge): Promise<Merged> {
  const { from, into: to } = await lockBoth(tx, merge)
  const handover: Handover = { project, transferId: tx.ids.next('trf'), from, to }
  const before = { from: await balancesOf(tx, project, from), to: await balancesOf(tx, project, to) }
  const handed = await inEverySlice(tx, (part) => part.merge(tx, handover))
  const survivor = await joinRows(tx, from, to, merge.takesLabel)
  const { moved: parts, drafts } = await inEverySlice(
    tx,
    (part, moved) => part.afterMerge?.(tx, handover, moved),
    handed,
  )
  const { copied: attributeKeys, repointedIds } = survivor
  const moved = toMoved(merge, handover, { ...parts, attributeKeys, repointedIds })
  await insertTransfer(tx, toTransferRow(tx, merge, handover, moved))
  const rows = { from, to: survivor.row }
  await recordBothSides(tx, { ...handover, ...rows }, { cause: merge.cause, before, drafts, moved })
  return { transferId: handover.transferId, moved }
}

/** Both rows as they stand under their locks; only two live ones can be merged. */
async function lockBoth(tx: Tx, { from, into }: Merge): Promise<Pick<Merge, 'from' | 'into'>> {
  for (const id of [from.id, into.id].sort()) await tx.lock(`subscriber:${id}`)
  const rows = { from: await reload(tx, from), into: await reload(tx, into) }
  const isPossible = from.id !== into.id && [rows.from, rows.into].every(({ mergedInto }) => mergedInto === null)
  if (!isPossible) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return rows
}

async function reload(tx: Tx, row: SubscriberRow): Promise<SubscriberRow> {
  return (await findById(tx, row.projectId, row.id)) ?? row
}

/** The label and the attributes go over; the merged row points to the survivor and is reached through it. */
async function joinRows(
  tx: Tx,
  from: SubscriberRow,
  into: SubscriberRow,
  takesLabel: boolean,
): Promise<{ row: SubscriberRow; copied: string[]; repointedIds: string[] }> {
  const now = tx.clock.now()
  const { attributes, copied } = mergeAttributes(into.attributes, from.attributes)
  const appUserId = takesLabel ? from.appUserId : into.appUserId
  // First the row that gives the label up: the label is unique in the project.
  await updateSubscriber(tx, from.id, { appUserId: null, mergedInto: into.id, updatedAt: now })
  await updateSubscriber(tx, into.id, { appUserId, attributes, updatedAt: now })
  const repointedIds = await repointMerged(tx, from.id, into.id)
  return { row: { ...into, appUserId, attributes }, copied, repointedIds }
}

function toMoved({ takesLabel }: Merge, { from, to }: Handover, parts: MovedParts): TransferMoved {
  const labels = { label: from.appUserId, labelGiven: takesLabel }
  return { ...NOTHING_MOVED, isMerge: true, ...labels, ...parts, labelBefore: to.appUserId }
}

const toTransferRow = (
  tx: Tx,
  { transferCause: cause }: Merge,
  { project, transferId: id, from, to }: Handover,
  moved: TransferMoved,
): TransferRow => ({
  id,
  projectId: project.id,
  cause,
  fromSubscriberId: from.id,
  toSubscriberId: to.id,
  moved,
  undoneAt: null,
  createdAt: tx.clock.now(),
})
