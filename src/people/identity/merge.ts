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
} from '../subscribers/service'
import { NOTHING_MOVED, type TransferMoved } from '../subscribers/transfer-moved'
import { type Handover, inEverySlice, type MovedParts } from './on-merge'
import { recordBothSides } from './transferred'

export interface Merge {
  from: SubscriberRow
  into: SubscriberRow
  cause: EventCause
  transferCause: TransferRow['cause']
  /** Whether the survivor gets the label of `from`; only an identify call does that. */
  takesLabel: boolean
}

export interface Merged {
  transferId: string
  moved: TransferMoved
}

/**
 * Merges one subscriber into another (wire 5.6): moves the attributes, and the data that each slice stores about a
 * subscriber. When both have a value for the same thing, the survivor's value stays, and the merge does not fail. Both
 * rows are locked, in id order. Rows that had been merged into `from` point to the survivor afterwards; the transfers
 * record each of these steps.
 */
export async function mergeSubscribers(tx: Tx, project: ProjectState, merge: Merge): Promise<Merged> {
  const { from, into: to } = await lockBoth(tx, merge)
  const handover: Handover = { project, transferId: tx.ids.next('trf'), from, to }
  const before = { from: await balancesOf(tx, project, from), to: await balancesOf(tx, project, to) }
  const merged = await inEverySlice(tx, (part) => part.merge(tx, handover))
  const survivor = await joinRows(tx, from, to, merge.takesLabel)
  const { moved: parts, drafts } = await inEverySlice(
    tx,
    (part, moved) => part.afterMerge?.(tx, handover, moved),
    merged,
  )
  const { copied: attributeKeys, repointedIds } = survivor
  const moved = toMoved(merge, handover, { ...parts, attributeKeys, repointedIds })
  await insertTransfer(tx, toTransferRow(tx, merge, handover, moved))
  const rows = { from, to: survivor.row }
  await recordBothSides(tx, { ...handover, ...rows }, { cause: merge.cause, before, drafts, moved })
  return { transferId: handover.transferId, moved }
}

/** Locks both rows and reads them again; 409 when one of them is merged already or erased, or when they are the same row. */
async function lockBoth(tx: Tx, { from, into }: Merge): Promise<Pick<Merge, 'from' | 'into'>> {
  for (const id of [from.id, into.id].sort()) await tx.lock(`subscriber:${id}`)
  const rows = { from: await reload(tx, from), into: await reload(tx, into) }
  const isLive = ({ mergedInto, erasedAt }: SubscriberRow) => mergedInto === null && erasedAt === null
  const isPossible = from.id !== into.id && isLive(rows.from) && isLive(rows.into)
  if (!isPossible) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return rows
}

async function reload(tx: Tx, row: SubscriberRow): Promise<SubscriberRow> {
  return (await findById(tx, row.projectId, row.id)) ?? row
}

/** Copies the attributes, moves the label if the merge takes it, and points the merged row to the survivor. */
async function joinRows(
  tx: Tx,
  from: SubscriberRow,
  into: SubscriberRow,
  takesLabel: boolean,
): Promise<{ row: SubscriberRow; copied: string[]; repointedIds: string[] }> {
  const now = tx.clock.now()
  const { attributes, copied } = mergeAttributes(into.attributes, from.attributes)
  const appUserId = takesLabel ? from.appUserId : into.appUserId
  // The row that loses the label comes first, because a label is unique in the project.
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
