import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { bucket, HOLDOUT_SALT } from '../../base/lib/bucket'
import { canonicalJson } from '../../base/lib/hash'
import type { KeyState } from '../../projects/project/state'
import type { AccessMap } from '../events/access-map'
import { checkDeviceKey, deviceKeyOf, platformOf } from './device-key'
import {
  findByDeviceKey,
  findById,
  findByLabel,
  findFirstSeen,
  hasAnySubscriber,
  insertSubscriber,
  insertTransfer,
  listByDeviceKeys,
  listTransfersOf,
  type SubscriberRow,
  type TransferRow,
  updateSubscriber,
} from './queries'
import type { StoredAttributes } from './tables'
import { NOTHING_MOVED } from './transfer-moved'

export { firstDeviceKey } from './first-key'
export type { SubscriberRow }

export type Platform = 'ios' | 'android' | 'web'

const MAX_HOPS = 32

/** Whom a row leads to, and on which way. */
export interface ResolvedSubscriber {
  /** Live, or erased. */
  row: SubscriberRow
  /** Of every row on the way, the first one and this one among them. */
  ids: readonly string[]
}

/** The row at the end of a row's merge chain; 409 when the chain is broken, a cycle or too long. */
export async function resolveMerged(handle: Handle, first: SubscriberRow): Promise<ResolvedSubscriber> {
  const ids = [first.id]
  let row = first
  while (row.mergedInto !== null) {
    const next = ids.length <= MAX_HOPS ? await findById(handle, first.projectId, row.mergedInto) : null
    if (!next) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
    row = next
    ids.push(row.id)
  }
  return { row, ids }
}

/** As `resolveMerged`, where the way does not matter. */
export const resolveRow = async (handle: Handle, row: SubscriberRow): Promise<SubscriberRow> =>
  row.mergedInto === null ? row : (await resolveMerged(handle, row)).row

/** Locks the live row that a row leads to, and gives it as it stands then: a merge may have come before its turn. */
export async function lockLive(tx: Tx, row: SubscriberRow): Promise<SubscriberRow> {
  await tx.lock(`subscriber:${row.id}`)
  const found = (await findById(tx, row.projectId, row.id)) ?? row
  return found.mergedInto === null ? found : lockLive(tx, await resolveRow(tx, found))
}

/** The row that a device key leads to, or null when no call has made it yet. */
export async function findByDevice(
  handle: Handle,
  projectId: string,
  deviceKey: string,
): Promise<SubscriberRow | null> {
  const row = await findByDeviceKey(handle, projectId, deviceKey)
  return row && resolveRow(handle, row)
}

/** The rows that device keys lead to, by key; without those that nobody has made yet or that are unresolvable. */
export async function findByDevices(
  handle: Handle,
  projectId: string,
  deviceKeys: readonly string[],
): Promise<Map<string, SubscriberRow>> {
  const rows = new Map<string, SubscriberRow>()
  for (const row of await listByDeviceKeys(handle, projectId, deviceKeys)) {
    const live = row.mergedInto === null ? row : await resolveRow(handle, row).catch(unlessUnresolvable)
    if (live) rows.set(row.deviceKey, live)
  }
  return rows
}

/** Catches the 409 of a broken merge chain: nobody. */
export function unlessUnresolvable(error: unknown): null {
  if (error instanceof AppError && error.refusal === 'SUBSCRIBER_UNRESOLVABLE') return null
  throw error
}

/** The row that a device key leads to, made by this call when it is unknown (wire 1.8). */
export const subscriberOfDevice = async (
  ctx: Context,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): Promise<SubscriberRow> => (await resolveDevice(ctx, projectId, deviceKey, platform)).row

/** As `subscriberOfDevice`, with the way there. */
export async function resolveDevice(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): Promise<ResolvedSubscriber> {
  const found = await findByDeviceKey(ctx, projectId, deviceKey)
  const first = found ?? (await ctx.write((tx) => ensureSubscriber(tx, projectId, deviceKey, platform))).row
  const resolved = await resolveMerged(ctx, first)
  ctx.state.presence.see(resolved.row.id, ctx.clock.now())
  return resolved
}

/** The subscriber of the device that calls, named by its header; 400 when it names none (wire 1.8). */
export const callingSubscriber = async (ctx: Context, projectId: string, headers: Headers): Promise<SubscriberRow> =>
  (await resolveCaller(ctx, projectId, headers)).row

/** As `callingSubscriber`, with the way there. */
export const resolveCaller = (ctx: Context, projectId: string, headers: Headers): Promise<ResolvedSubscriber> =>
  resolveDevice(ctx, projectId, deviceKeyOf('device', headers, {}), platformOf(headers))

/** A row, and whether this transaction has made it: then it holds nothing yet. */
export interface EnsuredSubscriber {
  row: SubscriberRow
  isNew: boolean
}

/** As `subscriberOfDevice`, inside a write. */
export async function ensureSubscriber(
  tx: Tx,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): Promise<EnsuredSubscriber> {
  const found = await findByDevice(tx, projectId, deviceKey)
  if (found) return { row: found, isNew: false }
  const made = await insertSubscriber(tx, newSubscriber(tx, projectId, deviceKey, platform))
  if (made) return { row: made, isNew: true }
  const first = await findByDevice(tx, projectId, deviceKey)
  if (!first) throw new Error('a subscriber row vanished while it was being made')
  return { row: first, isNew: false }
}

/** The row that stands for the buyer of a purchase that nobody has submitted yet (wire 5.6), or whom it was merged into. */
export async function ensureSynthetic(tx: Tx, projectId: string, key: string): Promise<SubscriberRow> {
  const found = await findByDevice(tx, projectId, key)
  if (found) return found
  const row = { ...newSubscriber(tx, projectId, key, null), isSynthetic: true }
  const made = (await insertSubscriber(tx, row)) ?? (await findByDevice(tx, projectId, key))
  if (!made) throw new Error('a subscriber row vanished while it was being made')
  return made
}

/** The row of a device key that is seen for the first time; not written. */
export function newSubscriber(
  { clock, ids }: Pick<Tx, 'clock' | 'ids'>,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): SubscriberRow {
  const now = clock.now()
  const attributes: StoredAttributes =
    platform === null ? {} : { platform: { value: platform, source: 'sdk', updatedAt: now } }
  return {
    id: ids.next('sub'),
    projectId,
    deviceKey,
    appUserId: null,
    attributes,
    seq: 0,
    toldAccess: {},
    isSynthetic: false,
    mergedInto: null,
    erasedAt: null,
    holdoutBucket: bucket(deviceKey, HOLDOUT_SALT),
    firstSeenAt: now,
    lastSeenAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The row that a subscriber reference names (wire 1.8), or null. A public key speaks for its own device only; with a
 * secret key a label stands before a device key, because any device may present any string as its key.
 */
export async function findReferenced(
  handle: Handle,
  key: Pick<KeyState, 'projectId' | 'presented'>,
  reference: string,
): Promise<SubscriberRow | null> {
  const { projectId, presented } = key
  if (presented === 'public') return findByDevice(handle, projectId, checkDeviceKey(reference, 'appUserId'))
  const byId = isSubscriberId(reference) ? await findById(handle, projectId, reference) : null
  if (byId) return resolveRow(handle, byId)
  return (await findByLabel(handle, projectId, reference)) ?? findByDevice(handle, projectId, reference)
}

export const isSubscriberId = (reference: string): boolean => /^sub_[0-9a-hjkmnp-tv-z]{26}$/.test(reference)

/** Refuses a row that no live subscriber stands behind. */
export function assertLive(row: SubscriberRow): SubscriberRow {
  if (row.erasedAt !== null) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return row
}

/** Saves the access map that the events of this transaction tell; nothing when they tell no change. */
export async function savePublishedAccess(tx: Tx, row: SubscriberRow, access: AccessMap): Promise<void> {
  if (canonicalJson(row.toldAccess) !== canonicalJson(access))
    await updateSubscriber(tx, row.id, { toldAccess: access })
}

/** A row by its id, as it is: not resolved, not judged. */
export const findSubscriber = findById
export { countRows, hasMergedDevice, listByDeviceKey } from './queries'

/** Whether an id is a subscriber's of another project. For what a store tells; no caller may learn it. */
export const isOfAnotherProject = async (handle: Handle, projectId: string, id: string): Promise<boolean> =>
  !(await findById(handle, projectId, id)) && hasAnySubscriber(handle, id)

/** When somebody was first seen, under whichever of their rows: a new phone makes nobody a new customer. */
export const firstSeenOf = findFirstSeen

/** Every transfer from or to a subscriber, oldest first, the undone ones too. */
export const listTransfers = listTransfersOf

export type { TransferRow }

interface PurchaseMove {
  projectId: string
  cause: TransferRow['cause']
  from: string
  to: string
  purchaseIds: string[]
}

/** Records that single purchases changed hands, so that the move can be undone; returns the transfer's id. */
export async function recordMove(tx: Tx, { projectId, cause, from, to, purchaseIds }: PurchaseMove): Promise<string> {
  const id = tx.ids.next('trf')
  const moved = { ...NOTHING_MOVED, purchaseIds }
  await insertTransfer(tx, {
    id,
    projectId,
    cause,
    fromSubscriberId: from,
    toSubscriberId: to,
    moved,
    undoneAt: null,
    createdAt: tx.clock.now(),
  })
  return id
}
