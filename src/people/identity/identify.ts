import type { Context, Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { recordSubscriberEvents } from '../entitlements/subscriber-events'
import { causeOf } from '../events/model'
import type { EventDraft } from '../events/service'
import { detachedKey } from '../subscribers/first-key'
import { findByDeviceKey, findById, findByLabel, insertSubscriber, updateSubscriber } from '../subscribers/queries'
import { assertLive, ensureSubscriber, newSubscriber, type Platform, type SubscriberRow } from '../subscribers/service'
import { mergeSubscribers } from './merge'

export interface Identification {
  deviceKey: string
  label: string
  platform: Platform | null
  requestId: string
}

export interface Identified {
  subscriberId: string
  appUserId: string
  transferred: boolean
}

/**
 * Binds the customer's own id to a device (wire 2.4). A label on another row brings that row's purchases here; a
 * device that carries another label leaves its row behind, so nobody's purchase passes to another label.
 */
export async function identify(ctx: Context, project: ProjectState, order: Identification): Promise<Identified> {
  const identified = await ctx.write((tx) => identifyInside(tx, project, order))
  ctx.state.presence.see(identified.subscriberId, ctx.clock.now())
  return identified
}

async function identifyInside(tx: Tx, project: ProjectState, order: Identification): Promise<Identified> {
  const { deviceKey, label } = order
  for (const name of [`device:${project.id}:${deviceKey}`, `label:${project.id}:${label}`].sort()) await tx.lock(name)
  const { row, holder } = await lockParties(tx, project.id, order)
  if (row.appUserId === label) return { subscriberId: row.id, appUserId: label, transferred: false }
  const target = row.appUserId === null ? row : await leaveRow(tx, project.id, row, order)
  await bindLabel(tx, project, target, holder, order)
  return { subscriberId: target.id, appUserId: label, transferred: holder !== null }
}

interface Parties {
  /** The live row of the device. */
  row: SubscriberRow
  /** The row that carries the label. */
  holder: SubscriberRow | null
}

/** Both rows, locked in id order and as they stand under their locks: a merge may have come before. */
async function lockParties(tx: Tx, projectId: string, order: Identification): Promise<Parties> {
  const seen = await readParties(tx, projectId, order)
  for (const id of [seen.row.id, seen.holder?.id ?? seen.row.id].sort()) await tx.lock(`subscriber:${id}`)
  const now = await readParties(tx, projectId, order)
  const isSame = now.row.id === seen.row.id && now.holder?.id === seen.holder?.id
  return isSame ? now : lockParties(tx, projectId, order)
}

async function readParties(tx: Tx, projectId: string, { deviceKey, label, platform }: Identification) {
  const row = assertLive((await ensureSubscriber(tx, projectId, deviceKey, platform)).row)
  return { row, holder: await findByLabel(tx, projectId, label) }
}

/** The person switched account without signing out: the key goes to a fresh row, the old one keeps all it holds. */
async function leaveRow(
  tx: Tx,
  projectId: string,
  left: SubscriberRow,
  { deviceKey, platform }: Identification,
): Promise<SubscriberRow> {
  const carrier = await findByDeviceKey(tx, projectId, deviceKey)
  const updatedAt = tx.clock.now()
  if (carrier) await updateSubscriber(tx, carrier.id, { deviceKey: detachedKey(carrier.id, deviceKey), updatedAt })
  const fresh = await insertSubscriber(tx, newSubscriber(tx, projectId, deviceKey, platform))
  if (!fresh) throw new Error('the device key was taken while it moved')
  tx.afterCommit(() => tx.state.changeSignal.notify(left.id)) // Streams of the device are still known by it.
  return fresh
}

async function bindLabel(
  tx: Tx,
  project: ProjectState,
  target: SubscriberRow,
  holder: SubscriberRow | null,
  { label, requestId }: Identification,
): Promise<void> {
  const cause = causeOf('IDENTIFY', requestId)
  const merge = { into: target, cause, transferCause: 'IDENTIFY', takesLabel: true } as const
  if (holder) await mergeSubscribers(tx, project, { from: holder, ...merge })
  else await updateSubscriber(tx, target.id, { appUserId: label, updatedAt: tx.clock.now() })
  const identified: EventDraft = {
    type: 'subscriber.identified',
    occurredAt: tx.clock.now(),
    environment: 'PRODUCTION',
    data: { appUserId: label, previousAppUserId: null },
  }
  const row = (await findById(tx, project.id, target.id)) ?? target
  // A label may stand on the list of those whom sandbox purchases unlock.
  await recordSubscriberEvents(tx, project, row, { cause, drafts: [identified] })
}
