import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { recordSubscriberEvents, transferred } from '../entitlements/subscriber-events'
import type { EventCause } from '../events/model'
import { resolvePurchaseIds } from '../purchases/holdings'
import { givePurchases } from '../purchases/move'
import { recordMove, type SubscriberRow, type TransferRow } from '../subscribers/service'
import { mergeSubscribers } from './merge'
import { listAllDropped } from './on-merge'
import { type Amounts, codesOf } from './transferred'

/** One value for each side of a transfer. */
export interface Sides<Value> {
  from: Value
  to: Value
}

/** What a transfer moved. */
export interface Moved {
  transferId: string
  purchaseIds: readonly string[]
  balances: Amounts
  experimentsDropped: string[]
}

/** Merges the source into the target. */
export async function moveAll(
  tx: Tx,
  project: ProjectState,
  { from, to }: Sides<SubscriberRow>,
  cause: EventCause,
): Promise<Moved> {
  const merge = { from, into: to, cause, transferCause: 'API', takesLabel: false } as const
  const { transferId, moved } = await mergeSubscribers(tx, project, merge)
  const { purchaseIds, credits } = moved
  const experimentsDropped = await listAllDropped(tx, project, moved)
  return { transferId, purchaseIds, balances: codesOf(project, credits), experimentsDropped }
}

/** Moves single purchases; 409 when the source does not own one of them. The caller holds the locks of both. */
export async function moveSingle(
  tx: Tx,
  project: ProjectState,
  { from, to }: Sides<SubscriberRow>,
  wanted: readonly string[],
  cause: EventCause,
  transferCause: TransferRow['cause'] = 'API',
): Promise<Moved> {
  const named = await resolvePurchaseIds(tx, project.id, wanted)
  const purchaseIds = await givePurchases(tx, from.id, to.id, named)
  const missing = named.filter((id) => !purchaseIds.includes(id))
  if (missing.length > 0) throw notOwned(missing)
  const move = { projectId: project.id, cause: transferCause, from: from.id, to: to.id, purchaseIds }
  const transferId = await recordMove(tx, move)
  const data = { transferId, fromSubscriberId: from.id, toSubscriberId: to.id, purchaseIds, credits: {} }
  await recordSubscriberEvents(tx, project, from, { cause, drafts: [transferred(tx, 'FROM', data)] })
  await recordSubscriberEvents(tx, project, to, { cause, drafts: [transferred(tx, 'TO', data)] })
  return { transferId, purchaseIds, balances: {}, experimentsDropped: [] }
}

const notOwned = (ids: readonly string[]): AppError =>
  new AppError('CONFLICT', undefined, { message: `The source does not own ${ids.slice(0, 10).join(', ')}` })
