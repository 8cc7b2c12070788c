import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { convertMerged, type MovedAssignments, moveAssignments } from '../../targeting/experiments/service'
import { balancesByCode, transferBalances } from '../currencies/service'
import { tellSubscriber, transferred } from '../entitlements/subscriber-events'
import type { EventCause } from '../events/model'
import { givePurchases } from '../purchases/move'
import { mergeAttributes } from '../subscribers/attributes'
import {
  findById,
  insertTransfer,
  repointMerged,
  type SubscriberRow,
  type TransferRow,
  updateSubscriber,
} from '../subscribers/queries'

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
  purchaseIds: string[]
  /** Currency id -> amount that moved. */
  credits: Record<string, number>
  experimentsDropped: MovedAssignments['dropped']
}

/**
 * Merges one subscriber into another (wire 5.6): purchases, money lines, balances, assignments and attributes follow;
 * where both hold the same, the survivor's stays and nothing fails. Both rows are locked, in id order. Rows merged into
 * the first before point to the survivor from now on; which row went where is in the transfers.
 */
export async function mergeSubscribers(tx: Tx, project: ProjectState, merge: Merge): Promise<Merged> {
  const { from, into } = await lockBoth(tx, merge)
  const transferId = tx.ids.next('trf')
  const balancesBefore = {
    from: await balancesByCode(tx, project, from.id),
    into: await balancesByCode(tx, project, into.id),
  }
  const purchaseIds = await givePurchases(tx, from.id, into.id)
  const { credits, drafts } = await transferBalances(tx, project, from, into, { transferId })
  const moved = await moveAssignments(tx, from.id, into.id)
  const survivor = await joinRows(tx, from, into, merge.takesLabel)
  const converted = await convertMerged(tx, project.id, into.id, moved.joined)
  const assignments = { ...moved, joined: converted.joined }
  const { copied: attributeKeys, repointedIds } = survivor
  const parts = { purchaseIds, credits, assignments, attributeKeys, repointedIds, labelBefore: into.appUserId }
  await insertTransfer(tx, toTransferRow(tx, transferId, project.id, merge, from, parts))
  const ids = { transferId, fromSubscriberId: from.id, toSubscriberId: into.id }
  const data = { ...ids, purchaseIds, credits: codesOf(project, credits) }
  const { cause } = merge
  await tellSubscriber(tx, project, from, {
    cause,
    balances: { before: balancesBefore.from },
    drafts: [...drafts.from, transferred(tx, 'FROM', data)],
  })
  await tellSubscriber(tx, project, survivor.row, {
    cause,
    balances: { before: balancesBefore.into },
    drafts: [...drafts.to, ...converted.drafts, transferred(tx, 'TO', data)],
  })
  return { transferId, purchaseIds, credits, experimentsDropped: assignments.dropped }
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

/** Amounts by currency id, as events and answers name them: by code. */
export const codesOf = ({ catalog }: ProjectState, credits: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(credits).map(([id, amount]) => [catalog.currencies.get(id)?.code ?? id, amount]))

interface MovedParts {
  purchaseIds: string[]
  credits: Record<string, number>
  assignments: MovedAssignments
  attributeKeys: string[]
  repointedIds: string[]
  labelBefore: string | null
}

function toTransferRow(
  tx: Tx,
  id: string,
  projectId: string,
  merge: Merge,
  from: SubscriberRow,
  parts: MovedParts,
): TransferRow {
  const { purchaseIds, credits, assignments, attributeKeys, repointedIds, labelBefore } = parts
  const dropped = assignments.dropped.map(({ experimentId, variantId }) => ({ experimentId, variantId }))
  return {
    id,
    projectId,
    cause: merge.transferCause,
    fromSubscriberId: from.id,
    toSubscriberId: merge.into.id,
    moved: {
      isMerge: true,
      label: from.appUserId,
      labelGiven: merge.takesLabel,
      purchaseIds,
      credits,
      experimentIds: assignments.experimentIds,
      experimentsDropped: dropped,
      attributeKeys,
      assignmentsDropped: assignments.dropped,
      assignmentsJoined: assignments.joined,
      repointedIds,
      labelBefore,
    },
    undoneAt: null,
    createdAt: tx.clock.now(),
  }
}
