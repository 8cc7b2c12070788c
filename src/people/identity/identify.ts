import type { Context, Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { recordSubscriberEvents } from '../entitlements/subscriber-events'
import { causeOf } from '../events/model'
import type { EventDraft } from '../events/service'
import type { Creation } from '../subscribers/creation'
import { detachedKey } from '../subscribers/first-key'
import {
  assertLive,
  ensureSubscriber,
  findByDeviceKey,
  findById,
  findByLabel,
  findErased,
  insertNew,
  type SubscriberRow,
  updateSubscriber,
} from '../subscribers/service'
import { mergeSubscribers } from './merge'

export interface Identification {
  deviceKey: string
  label: string
  creation: Creation | null
  requestId: string
}

export interface Identified {
  subscriberId: string
  appUserId: string
  transferred: boolean
}

/**
 * Binds the customer's own id (the label) to a device (wire 2.4). When another row has the label, that row is merged
 * into the device's row. When the device's row has another label, the device gets a new row first, so that no purchase
 * moves to a different label.
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
  /** The row that has the label; null when no row has it. */
  holder: SubscriberRow | null
}

/** Locks both rows in id order and reads them again: a merge may have committed before the locks were taken. */
async function lockParties(tx: Tx, projectId: string, order: Identification): Promise<Parties> {
  const seen = await readParties(tx, projectId, order)
  for (const id of [seen.row.id, seen.holder?.id ?? seen.row.id].sort()) await tx.lock(`subscriber:${id}`)
  const now = await readParties(tx, projectId, order)
  const isSame = now.row.id === seen.row.id && now.holder?.id === seen.holder?.id
  return isSame ? now : lockParties(tx, projectId, order)
}

async function readParties(tx: Tx, projectId: string, { deviceKey, label, creation }: Identification) {
  const row = assertLive((await ensureSubscriber(tx, projectId, deviceKey, creation)).row)
  const holder = await findByLabel(tx, projectId, label)
  const erased = holder ?? (await findErased(tx, projectId, { kind: 'LABEL', value: label }))
  return { row, holder: erased && assertLive(erased) }
}

/** For a person who changed accounts without signing out. A new row gets the device key; the old row keeps the rest. */
async function leaveRow(
  tx: Tx,
  projectId: string,
  left: SubscriberRow,
  { deviceKey, creation }: Identification,
): Promise<SubscriberRow> {
  const keyRow = await findByDeviceKey(tx, projectId, deviceKey) // May be a row that was merged into `left`.
  const updatedAt = tx.clock.now()
  if (keyRow) await updateSubscriber(tx, keyRow.id, { deviceKey: detachedKey(keyRow.id, deviceKey), updatedAt })
  const fresh = await insertNew(tx, projectId, deviceKey, creation)
  if (!fresh) throw new Error('the device key was taken while it moved')
  tx.afterCommit(() => tx.state.changeSignal.notify(left.id)) // Open streams of the device still listen for the old id.
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
  // A new label can change access: the project may let sandbox purchases count only for listed labels.
  await recordSubscriberEvents(tx, project, row, { cause, drafts: [identified] })
}
