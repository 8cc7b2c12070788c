import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, notFound } from '../../base/errors'
import { canonicalJson } from '../../base/lib/hash'
import type { KeyState } from '../../projects/project/state'
import type { AccessMap } from './access-map'
import { type Creation, creationOf } from './creation'
import { checkDeviceKey, deviceKeyOf, type Platform } from './device-key'
import { type ErasedReader, findErasedKey, type PersonKey } from './erased-keys'
import { holdoutBucketOf } from './first-key'
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
import { NOTHING_MOVED } from './transfer-moved'

export { firstDeviceKey, isDetached } from './first-key'
export { lockWithDevice } from './queries'
export type { Creation, SubscriberRow }

const MAX_HOPS = 32

/** The row at the end of a merge chain, and the rows on the way to it. */
export interface ResolvedSubscriber {
  /** The last row of the chain: live or erased, never merged. */
  row: SubscriberRow
  /** Ids of all rows of the chain, from the first one to `row`. */
  ids: readonly string[]
}

/** Follows a row's merge chain to its end; 409 when the chain is broken, a cycle or longer than `MAX_HOPS`. */
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

/** Like `resolveMerged`, but returns only the row. */
export const resolveRow = async (handle: Handle, row: SubscriberRow): Promise<SubscriberRow> =>
  row.mergedInto === null ? row : (await resolveMerged(handle, row)).row

/** Locks the row at the end of the merge chain and reads it again: a merge may commit while this call waits. */
export async function lockLive(tx: Tx, row: SubscriberRow): Promise<SubscriberRow> {
  await tx.lock(`subscriber:${row.id}`)
  const found = (await findById(tx, row.projectId, row.id)) ?? row
  return found.mergedInto === null ? found : lockLive(tx, await resolveRow(tx, found))
}

/** The subscriber of a device key, after merges; null when no row exists for the key. */
export async function findByDevice(
  handle: Handle,
  projectId: string,
  deviceKey: string,
): Promise<SubscriberRow | null> {
  const row = await findByDeviceKey(handle, projectId, deviceKey)
  return row && resolveRow(handle, row)
}

/** The subscribers of many device keys, by key. Keys without a row and keys with a broken merge chain are left out. */
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

/** For `catch`: turns the 409 of a broken merge chain into null, and throws every other error again. */
export function unlessUnresolvable(error: unknown): null {
  if (error instanceof AppError && error.refusal === 'SUBSCRIBER_UNRESOLVABLE') return null
  throw error
}

/** The subscriber of a device key, after merges. Creates the row when the key is unknown (wire 1.8). */
export const subscriberOfDevice = async (
  ctx: Context,
  projectId: string,
  deviceKey: string,
  creation: Creation | null,
): Promise<SubscriberRow> => (await resolveDevice(ctx, projectId, deviceKey, creation)).row

/** Like `subscriberOfDevice`, but also returns the ids of the merge chain. */
export async function resolveDevice(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  creation: Creation | null,
): Promise<ResolvedSubscriber> {
  const found =
    (await findByDeviceKey(ctx, projectId, deviceKey)) ?? (await findErasedDevice(ctx, projectId, deviceKey))
  if (!found) creation?.place?.take() // Before the transaction, so that a refused flood writes nothing.
  const first = found ?? (await ctx.write((tx) => ensureSubscriber(tx, projectId, deviceKey, creation))).row
  const resolved = await resolveMerged(ctx, first)
  ctx.state.presence.see(resolved.row.id, ctx.clock.now())
  return resolved
}

/** The subscriber of the calling device, by the device key in its header; 400 without a key (wire 1.8). */
export const callingSubscriber = async (ctx: Context, projectId: string, request: Request): Promise<SubscriberRow> =>
  (await resolveCaller(ctx, projectId, request)).row

/** Like `callingSubscriber`, but also returns the ids of the merge chain. */
export const resolveCaller = (ctx: Context, projectId: string, request: Request): Promise<ResolvedSubscriber> =>
  resolveDevice(ctx, projectId, deviceKeyOf('device', request.headers, {}), creationOf(ctx, request))

/** A row, and whether this transaction created it. A new row holds nothing yet. */
export interface EnsuredSubscriber {
  row: SubscriberRow
  isNew: boolean
}

/** The erased row that answers for a key. Called only when no row has the key, so that known people do not wait. */
export async function findErased(
  reader: ErasedReader,
  projectId: string,
  key: PersonKey,
): Promise<SubscriberRow | null> {
  const id = await findErasedKey(reader, projectId, key)
  const row = id === null ? null : await findById(reader, projectId, id)
  return row && resolveRow(reader, row)
}

/** The erased row that answers for a device key; null when there is none. */
export const findErasedDevice = (
  reader: ErasedReader,
  projectId: string,
  value: string,
): Promise<SubscriberRow | null> => findErased(reader, projectId, { kind: 'DEVICE', value })

/** Like `subscriberOfDevice`, inside a write transaction. */
export async function ensureSubscriber(
  tx: Tx,
  projectId: string,
  deviceKey: string,
  creation: Creation | null,
): Promise<EnsuredSubscriber> {
  const found = (await findByDevice(tx, projectId, deviceKey)) ?? (await findErasedDevice(tx, projectId, deviceKey))
  if (found) {
    creation?.place?.found(tx)
    return { row: found, isNew: false }
  }
  const made = await insertNew(tx, projectId, deviceKey, creation)
  if (made) return { row: made, isNew: true }
  const first = await findByDevice(tx, projectId, deviceKey)
  if (!first) throw new Error('a subscriber row vanished while it was being made')
  return { row: first, isNew: false }
}

/** Inserts the row of a new device key, and counts it against the limit of the caller. Null when the key has a row. */
export async function insertNew(
  tx: Tx,
  projectId: string,
  deviceKey: string,
  creation: Creation | null,
): Promise<SubscriberRow | null> {
  const { platform = null, place = null } = creation ?? {}
  place?.take()
  const made = await insertSubscriber(tx, newSubscriber(tx, projectId, deviceKey, platform))
  if (made) place?.made(tx)
  else place?.found(tx)
  return made
}

/**
 * The synthetic row for the buyer of a purchase that no device has submitted yet (wire 5.6). Creates it when the key is
 * unknown. After a merge it is the survivor's row.
 */
export async function ensureSynthetic(tx: Tx, projectId: string, key: string): Promise<SubscriberRow> {
  const found = (await findByDevice(tx, projectId, key)) ?? (await findErasedDevice(tx, projectId, key))
  if (found) return found
  const row = { ...newSubscriber(tx, projectId, key, null), isSynthetic: true }
  const made = (await insertSubscriber(tx, row)) ?? (await findByDevice(tx, projectId, key))
  if (!made) throw new Error('a subscriber row vanished while it was being made')
  return made
}

/** Builds the row of a new device key. Does not write it. */
export function newSubscriber(
  { clock, ids }: Pick<Tx, 'clock' | 'ids'>,
  projectId: string,
  deviceKey: string,
  platform: Platform | null,
): SubscriberRow {
  const now = clock.now()
  const attributes: SubscriberRow['attributes'] =
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
    holdoutBucket: holdoutBucketOf({ deviceKey }),
    firstSeenAt: now,
    lastSeenAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The subscriber that a reference names (wire 1.8), or null. With a public key the reference is a device key. With a
 * secret key a label comes before a device key, because any device may send any string as its key.
 */
export async function findReferenced(
  handle: ErasedReader,
  key: Pick<KeyState, 'projectId' | 'presented'>,
  reference: string,
): Promise<SubscriberRow | null> {
  const { projectId, presented } = key
  const byDevice = async (value: string) =>
    (await findByDevice(handle, projectId, value)) ?? findErasedDevice(handle, projectId, value)
  if (presented === 'public') return byDevice(checkDeviceKey(reference, 'appUserId'))
  const byId = isSubscriberId(reference) ? await findById(handle, projectId, reference) : null
  if (byId) return resolveRow(handle, byId)
  const known = (await findByLabel(handle, projectId, reference)) ?? (await findByDevice(handle, projectId, reference))
  return known ?? (await findErased(handle, projectId, { kind: 'LABEL', value: reference })) ?? byDevice(reference)
}

export const isSubscriberId = (reference: string): boolean => /^sub_[0-9a-hjkmnp-tv-z]{26}$/.test(reference)

/** The row with this id, which may be merged or erased; 404 when the project has none. */
export async function getSubscriber(handle: Handle, projectId: string, id: string): Promise<SubscriberRow> {
  const row = isSubscriberId(id) ? await findById(handle, projectId, id) : null
  if (!row) throw notFound('subscriber', id)
  return row
}

/** The person with this id: after a merge the survivor's row. 404 when the project has none. */
export const getPerson = async (handle: Handle, projectId: string, id: string): Promise<SubscriberRow> =>
  resolveRow(handle, await getSubscriber(handle, projectId, id))

/** Returns the row; 409 when it is erased. */
export function assertLive(row: SubscriberRow): SubscriberRow {
  if (row.erasedAt !== null) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return row
}

/** Saves the published access, which is the access map of the latest events. No write when it has not changed. */
export async function savePublishedAccess(tx: Tx, row: SubscriberRow, access: AccessMap): Promise<void> {
  if (canonicalJson(row.toldAccess) !== canonicalJson(access))
    await updateSubscriber(tx, row.id, { toldAccess: access })
}

/** Rows by their ids, and rows in the order of lists. */
export { listByRowIds as listRowsById, listErasedIds, listMergedInto, listNewest } from './list-queries'

/** A row by its id. It may be merged or erased. */
export const findSubscriber = findById
export {
  countRows,
  findByDeviceKey,
  findById,
  findByLabel,
  findTransfer,
  hasMergedDevice,
  insertSubscriber,
  insertTransfer,
  listByDeviceKey,
  markUndone,
  pageTransfers,
  repointBack,
  repointMerged,
  updateSubscriber,
} from './queries'

/** Whether another project has a subscriber with this id. Only for ids from a store; no caller may get the answer. */
export const isOfAnotherProject = async (handle: Handle, projectId: string, id: string): Promise<boolean> =>
  !(await findById(handle, projectId, id)) && hasAnySubscriber(handle, id)

/** When a person was first seen, over all their merged rows: a person with a new phone is not a new customer. */
export const firstSeenOf = findFirstSeen

/** Every transfer from or to a subscriber, oldest first, undone transfers included. */
export const listTransfers = listTransfersOf

export type { TransferRow }

interface PurchaseMove {
  projectId: string
  cause: TransferRow['cause']
  from: string
  to: string
  purchaseIds: string[]
}

/** Records that single purchases got another owner, so that the move can be undone; returns the transfer's id. */
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
