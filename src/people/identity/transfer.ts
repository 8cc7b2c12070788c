import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import { invalid, notFound } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import type { Actor } from '../../projects/audit/audit'
import type { KeyState, ProjectState } from '../../projects/project/state'
import { causeOf } from '../events/model'
import { listPurchases, type PurchaseRow } from '../purchases/holdings'
import type { AccessMap } from '../subscribers/access-map'
import { assertLive, findReferenced, findSubscriber, type SubscriberRow } from '../subscribers/service'
import { auditTransfer } from './transfer-audit'
import { accessOf, type TransferEffects, watchTransfer } from './transfer-effects'
import { moveAll, moveSingle, type Sides } from './transfer-move'
import type { Amounts } from './transferred'

export interface TransferOrder {
  /** Subscriber references (wire 1.8). */
  fromReference: string
  toReference: string
  /** Only these purchases move, and the source stays live; null = the whole source is merged into the target. */
  purchaseIds: readonly string[] | null
  isDryRun: boolean
  requestId: string
  /** The person of the dashboard who orders it; null when the customer's server does. */
  actor: Actor | null
}

export interface Transferred {
  transferId: string
  from: SubscriberRow
  to: SubscriberRow
  /** The purchases that moved, in their state after the move. */
  purchases: PurchaseRow[]
  /** Currency code -> amount that moved. */
  balances: Amounts
  /** Keys of the experiments in which the target kept its own variant and the source's variant was dropped. */
  experimentsDropped: string[]
  accessBefore: Sides<AccessMap>
  accessAfter: Sides<AccessMap>
  undoableUntil: number
  /** Only of a dry run that a person of the dashboard ordered. */
  effects: TransferEffects | null
}

/** How the references of the order are read (wire 1.8). */
type Asker = Pick<KeyState, 'projectId' | 'presented'>

/** How long a transfer can be undone. */
export const UNDO_MS = 30 * DAY

/** Moves a subscriber or single purchases to another subscriber (wire 2.9). A dry run does the same and rolls it back. */
export const transfer = (ctx: Context, project: ProjectState, key: Asker, order: TransferOrder): Promise<Transferred> =>
  writeOrTry(ctx, order.isDryRun, (tx) => transferInside(tx, project, key, order))

async function transferInside(tx: Tx, project: ProjectState, key: Asker, order: TransferOrder): Promise<Transferred> {
  const before = await lockSides(tx, key, order)
  const accessBefore = await accessOf(tx, project, before)
  const readEffects = order.actor && order.isDryRun ? await watchTransfer(tx, project, before) : null
  const cause = causeOf(order.actor ? 'DASHBOARD' : 'TRANSFER', order.requestId)
  const moved = order.purchaseIds
    ? await moveSingle(tx, project, before, order.purchaseIds, cause)
    : await moveAll(tx, project, before, cause)
  const after = { from: await reload(tx, before.from), to: await reload(tx, before.to) }
  const owned = await listPurchases(tx, after.to.id)
  if (order.actor) await auditTransfer(tx, order.actor, after, moved)
  return {
    ...after,
    ...moved,
    purchases: owned.filter(({ id }) => moved.purchaseIds.includes(id)),
    accessBefore,
    accessAfter: await accessOf(tx, project, after),
    undoableUntil: tx.clock.now() + UNDO_MS,
    effects: readEffects && (await readEffects(after)),
  }
}

const reload = async (tx: Tx, row: SubscriberRow): Promise<SubscriberRow> =>
  (await findSubscriber(tx, row.projectId, row.id)) ?? row

/** Locks both rows in id order and reads them again: a merge may have committed before the locks were taken. */
async function lockSides(tx: Tx, key: Asker, order: TransferOrder): Promise<Sides<SubscriberRow>> {
  const seen = await readSides(tx, key, order)
  for (const id of [seen.from.id, seen.to.id].sort()) await tx.lock(`subscriber:${id}`)
  const now = await readSides(tx, key, order)
  return now.from.id === seen.from.id && now.to.id === seen.to.id ? now : lockSides(tx, key, order)
}

async function readSides(tx: Tx, key: Asker, order: TransferOrder): Promise<Sides<SubscriberRow>> {
  const from = await findReferenced(tx, key, order.fromReference)
  const to = await findReferenced(tx, key, order.toReference)
  if (!from || !to) throw notFound('subscriber', from ? order.toReference : order.fromReference)
  if (from.id === to.id) throw invalid('fromAppUserId and toAppUserId name the same subscriber')
  if (!isNamedBy(from, order.fromReference)) throw invalid('fromAppUserId was merged into another subscriber already')
  return { from: assertLive(from), to: assertLive(to) }
}

/** False when the reference names a row that was merged into this one: the survivor must not be moved instead of it. */
const isNamedBy = ({ id, appUserId, deviceKey }: SubscriberRow, reference: string): boolean =>
  [id, appUserId, deviceKey].includes(reference)
