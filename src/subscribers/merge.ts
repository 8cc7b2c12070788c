import type { Tx } from '../context'
import { balancesByCode, transferBalances } from '../currencies/service'
import { accessChange } from '../entitlements/service'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents, type SubscriberImage } from '../events/service'
import { type MovedAssignments, moveAssignments } from '../experiments/service'
import type { ProjectState } from '../projects/state'
import { listPurchases } from '../purchases/holdings'
import { givePurchases } from '../purchases/move'
import { mergeAttributes } from './attributes'
import { findById, insertTransfer, type SubscriberRow, type TransferRow, updateSubscriber } from './queries'
import { saveToldAccess } from './service'

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
 * where both hold the same, the survivor's stays and nothing fails. Both rows are locked, in id order.
 */
export async function mergeSubscribers(tx: Tx, project: ProjectState, merge: Merge): Promise<Merged> {
  for (const id of [merge.from.id, merge.into.id].sort()) await tx.lock(`subscriber:${id}`)
  const from = await reload(tx, merge.from)
  const into = await reload(tx, merge.into)
  const balancesBefore = {
    from: await balancesByCode(tx, project, from.id),
    into: await balancesByCode(tx, project, into.id),
  }
  const purchaseIds = await givePurchases(tx, from.id, into.id)
  const { credits, drafts: currencyDrafts } = await transferBalances(tx, project, from, into)
  const assignments = await moveAssignments(tx, from.id, into.id)
  const transferId = tx.ids.next('trf')
  const survivor = await joinRows(tx, from, into, merge.takesLabel)
  const moved = { purchaseIds, credits, assignments, attributeKeys: survivor.copied }
  await insertTransfer(tx, toTransferRow(tx, transferId, project.id, merge, from, moved))
  const data = {
    transferId,
    fromSubscriberId: from.id,
    toSubscriberId: into.id,
    purchaseIds,
    credits: codesOf(project, credits),
  }
  await tellSide(tx, project, from, {
    role: 'FROM',
    data,
    balancesBefore: balancesBefore.from,
    drafts: currencyDrafts.from,
    cause: merge.cause,
  })
  await tellSide(tx, project, survivor.row, {
    role: 'TO',
    data,
    balancesBefore: balancesBefore.into,
    drafts: currencyDrafts.to,
    cause: merge.cause,
  })
  return { transferId, purchaseIds, credits, experimentsDropped: assignments.dropped }
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
): Promise<{ row: SubscriberRow; copied: string[] }> {
  const now = tx.clock.now()
  const { attributes, copied } = mergeAttributes(into.attributes, from.attributes)
  const appUserId = takesLabel ? from.appUserId : into.appUserId
  // First the row that gives the label up: the label is unique in the project.
  await updateSubscriber(tx, from.id, { appUserId: null, mergedInto: into.id, updatedAt: now })
  await updateSubscriber(tx, into.id, { appUserId, attributes, updatedAt: now })
  return { row: { ...into, appUserId, attributes }, copied }
}

interface Side {
  role: 'FROM' | 'TO'
  data: {
    transferId: string
    fromSubscriberId: string
    toSubscriberId: string
    purchaseIds: string[]
    credits: Record<string, number>
  }
  balancesBefore: Record<string, number>
  drafts: EventDraft[]
  cause: EventCause
}

/** Access recomputed from what the side owns now, and the events of the side. */
async function tellSide(tx: Tx, project: ProjectState, row: SubscriberRow, side: Side): Promise<void> {
  const access = accessChange(tx, project, row, await listPurchases(tx, row.id))
  const transferred: EventDraft = {
    type: 'subscriber.transferred',
    occurredAt: tx.clock.now(),
    environment: 'PRODUCTION',
    data: { ...side.data, role: side.role },
  }
  await saveToldAccess(tx, row, access.after)
  const before: SubscriberImage = { access: access.before, balances: side.balancesBefore }
  const after: SubscriberImage = { access: access.after, balances: await balancesByCode(tx, project, row.id) }
  const subject = { id: row.id, projectId: project.id, appUserId: row.appUserId }
  await recordEvents(tx, { subject, cause: side.cause, before, after }, [...side.drafts, ...access.drafts, transferred])
}

const codesOf = ({ catalog }: ProjectState, credits: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(credits).map(([id, amount]) => [catalog.currencies.get(id)?.code ?? id, amount]))

interface MovedParts {
  purchaseIds: string[]
  credits: Record<string, number>
  assignments: MovedAssignments
  attributeKeys: string[]
}

function toTransferRow(
  tx: Tx,
  id: string,
  projectId: string,
  merge: Merge,
  from: SubscriberRow,
  parts: MovedParts,
): TransferRow {
  const { purchaseIds, credits, assignments, attributeKeys } = parts
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
      experimentsDropped: assignments.dropped,
      attributeKeys,
    },
    undoneAt: null,
    createdAt: tx.clock.now(),
  }
}
