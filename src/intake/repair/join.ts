import type { Tx } from '../../base/context'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import type { EventDraft } from '../../people/events/service'
import { insertAliases } from '../../people/purchases/alias-queries'
import { foldObservations } from '../../people/purchases/fold'
import { giveObservations, giveRows, rewriteObservation } from '../../people/purchases/join-queries'
import { listTransactionsOf } from '../../people/purchases/many-queries'
import { type ObservationRow, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { statusAt } from '../../people/purchases/status'
import { toPurchaseView } from '../../people/purchases/wire'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { heldReport } from '../recording/held'
import { runOnJoined, runOnUnrecorded } from '../recording/on-recorded'
import { changedColumns, stateOf, toPurchaseRow } from '../recording/purchase-row'
import { recordChange } from '../recording/record-change'
import type { JoinPlan } from './plan'
import { partOf } from './sale-rows'

/** The rows of one sale, with what is recorded of each. */
export interface Sale {
  rows: ReadonlyMap<string, PurchaseRow>
  observations: ReadonlyMap<string, readonly ObservationRow[]>
}

/** Somebody whose access ended because another person keeps the purchase. */
export interface LostAccess {
  subscriberId: string
  appUserId: string | null
  access: string[]
}

/** What a join has changed. */
export interface Joined {
  purchaseId: string
  merged: string[]
  /** Ids of the money lines that counted a charge a second time. */
  linesRemoved: string[]
  lost: LostAccess[]
}

/**
 * Makes the rows of a plan one purchase: its observations, money lines, figures and names. The events of before stay.
 * Grants of currency are not touched. The caller holds the locks of the sale and of all owners.
 */
export async function joinRows(
  tx: Tx,
  project: ProjectState,
  plan: JoinPlan,
  sale: Sale,
  cause: EventCause,
): Promise<Joined> {
  const { survivorId, mergedIds } = plan
  const held = rowOf(sale, survivorId)
  const owner = await findSubscriber(tx, project.id, held.subscriberId)
  if (!owner) throw new Error(`purchase ${survivorId} has no owner`)
  const ids = [survivorId, ...mergedIds]
  const before = await lineIds(tx, ids)
  const row = await moveRows(tx, project, owner, plan, sale)
  const after = new Set(await lineIds(tx, ids))
  const linesRemoved = before.filter((id) => !after.has(id)).sort()
  if (mergedIds.length > 0) await tellOwner(tx, project, owner, { held, row, mergedIds, linesRemoved, cause })
  const others = mergedIds.map((id) => rowOf(sale, id).subscriberId).filter((id) => id !== owner.id)
  const lost: LostAccess[] = []
  for (const id of new Set(others)) lost.push(...(await tellOther(tx, project, id, cause)))
  return { purchaseId: survivorId, merged: mergedIds, linesRemoved, lost }
}

function rowOf({ rows }: Sale, id: string): PurchaseRow {
  const row = rows.get(id)
  if (!row) throw new Error(`purchase ${id} vanished under its lock`)
  return row
}

const lineIds = async (tx: Tx, purchaseIds: readonly string[]): Promise<string[]> =>
  [...(await listTransactionsOf(tx, purchaseIds)).values()].flat().map(({ id }) => id)

/** Joins what is stored, and computes the purchase again. Returns its row. */
async function moveRows(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { survivorId, mergedIds, chainKey }: JoinPlan,
  sale: Sale,
): Promise<PurchaseRow> {
  const held = rowOf(sale, survivorId)
  const merged = mergedIds.map((id) => rowOf(sale, id))
  const known = observationsOf(sale, survivorId).map(({ payload }) => payload)
  const all = await moveObservations(tx, held, mergedIds, sale)
  if (mergedIds.length > 0) {
    await runOnUnrecorded(tx, mergedIds)
    await runOnJoined(tx, {
      projectId: project.id,
      survivorId,
      mergedIds,
      transactionIds: transactionsOf(sale, mergedIds),
    })
    await giveRows(tx, mergedIds, held)
  }
  const observations = all.map(({ payload }) => payload)
  const fold = foldObservations(observations, held.fold.productType)
  if (!fold) throw new Error(`purchase ${survivorId} has no report`)
  const report = { ...heldReport(held, []), chainKey, ...firstKnown([held, ...merged]) }
  const row = toPurchaseRow(tx, project, owner, report, held, fold)
  await updatePurchase(tx, held.id, changedColumns(held, row))
  await insertNames(tx, row, [held, ...merged])
  const nothing = { isNew: false, fresh: [], linking: 'KEEPS' } as const
  await recordChange(tx, { project, owner, purchase: row, observations, known, ...nothing })
  return row
}

/** What only one of the rows may know. */
const firstKnown = (rows: readonly PurchaseRow[]): Pick<PurchaseRow, 'accountToken' | 'presentedContext'> => ({
  accountToken: rows.find((row) => row.accountToken !== null)?.accountToken ?? null,
  presentedContext: rows.find((row) => row.presentedContext !== null)?.presentedContext ?? null,
})

/** The names by which the rows were found: a share must not be found by an id of the buyer. */
async function insertNames(tx: Tx, row: PurchaseRow, former: readonly PurchaseRow[]): Promise<void> {
  const isShared = row.fold.ownershipType === 'FAMILY_SHARED'
  const keys = isShared ? [] : former.map(({ chainKey }) => chainKey).filter((key) => key !== row.chainKey)
  const ids = former.map(({ id }) => id).filter((id) => id !== row.id)
  if (keys.length + ids.length > 0) await insertAliases(tx, row, [...keys, ...ids])
}

const observationsOf = ({ observations }: Sale, id: string): readonly ObservationRow[] => observations.get(id) ?? []

const transactionsOf = (sale: Sale, ids: readonly string[]): string[] => [
  ...new Set(
    ids
      .flatMap((id) => observationsOf(sale, id))
      .flatMap(partOf)
      .map(({ transactionId }) => transactionId),
  ),
]

/** All observations as those of one purchase, each naming its sale, so that copies count as one charge. */
async function moveObservations(
  tx: Tx,
  { id, originalTransactionId }: PurchaseRow,
  mergedIds: readonly string[],
  sale: Sale,
): Promise<ObservationRow[]> {
  const own = observationsOf(sale, id)
  const named = own.map((row) => withSale(row, originalTransactionId))
  for (const [index, row] of named.entries()) if (row !== own[index]) await rewriteObservation(tx, row, row.payload)
  const moved = mergedIds
    .flatMap((from) => observationsOf(sale, from))
    .map((row) => withSale(row, originalTransactionId))
  await giveObservations(tx, moved, id)
  const all = new Map([...moved, ...named].map((row) => [`${row.kind}:${row.id}`, row]))
  return [...all.values()].toSorted((a, b) => a.recordedAt - b.recordedAt)
}

/** What was recorded before copies were known does not say which sale it is of. */
function withSale(row: ObservationRow, sale: string): ObservationRow {
  const { payload } = row
  if (payload.kind !== 'REPORT' || !payload.transaction || payload.transaction.sale !== undefined) return row
  return { ...row, payload: { ...payload, transaction: { ...payload.transaction, sale } } }
}

interface Correction {
  held: PurchaseRow
  row: PurchaseRow
  mergedIds: readonly string[]
  linesRemoved: readonly string[]
  cause: EventCause
}

async function tellOwner(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  { held, row, mergedIds, linesRemoved, cause }: Correction,
): Promise<void> {
  if (owner.erasedAt !== null) return
  const now = tx.clock.now()
  const draft: EventDraft = {
    type: 'purchase.corrected',
    occurredAt: now,
    environment: row.environment,
    before: { purchase: toPurchaseView(project, held, stateOf(held)) },
    after: { purchase: toPurchaseView(project, row, statusAt(row.fold, now)) },
    data: { transaction: null, merged: [...mergedIds], linesRemoved: [...linesRemoved] },
  }
  await recordSubscriberEvents(tx, project, owner, { cause, drafts: [draft] })
}

/** Tells a former owner what they no longer have. */
async function tellOther(tx: Tx, project: ProjectState, id: string, cause: EventCause): Promise<LostAccess[]> {
  const owner = await findSubscriber(tx, project.id, id)
  if (!owner || owner.erasedAt !== null) return []
  const { access } = await recordSubscriberEvents(tx, project, owner, { cause, drafts: [] })
  const lost = Object.keys(owner.toldAccess).filter((name) => !Object.hasOwn(access, name))
  return lost.length === 0 ? [] : [{ subscriberId: id, appUserId: owner.appUserId, access: lost }]
}
