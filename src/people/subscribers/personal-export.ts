import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ShownColumn } from './columns'
import type { ExportedPerson, OnExport } from './hooks'
import { findById, type SubscriberRow, type TransferRow } from './queries'
import type { StoredAttributes } from './tables'

/** For the data export of a person: the rows, their attributes, and the transfers between them and with others. */
export const exportSubscriber: OnExport = (handle, _project, person) => ({
  'subscriber.json': identityOf(handle, person),
  'attributes.json': attributesOf(handle, person),
  'transfers.jsonl': transfersOf(handle, person),
})

async function* identityOf(handle: Handle, { row, ids }: ExportedPerson) {
  const { deviceKey, ...own } = toIdentity(row)
  yield { ...own, deviceKey, access: row.toldAccess }
  const mergedRows = []
  for await (const merged of mergedRowsOf(handle, row, ids)) mergedRows.push(toIdentity(merged))
  yield { mergedRows }
}

/** The attributes have a file of their own, and only the row of the person has access. */
type IdentityColumn = Exclude<ShownColumn, 'attributes' | 'toldAccess'>

const toIdentity = (row: Pick<SubscriberRow, IdentityColumn>): Record<IdentityColumn, string | null> => ({
  id: row.id,
  appUserId: row.appUserId,
  deviceKey: row.deviceKey,
  firstSeenAt: toIso(row.firstSeenAt),
  lastSeenAt: toIso(row.lastSeenAt),
  createdAt: toIso(row.createdAt),
})

async function* attributesOf(handle: Handle, { row, ids }: ExportedPerson) {
  yield { attributes: readable(row.attributes) }
  const merged = []
  for await (const { id, attributes } of mergedRowsOf(handle, row, ids))
    if (Object.keys(attributes).length > 0) merged.push({ subscriberId: id, attributes: readable(attributes) })
  if (merged.length > 0) yield { mergedRows: merged }
}

const readable = (attributes: StoredAttributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, { updatedAt, ...stored }]) => [
      key,
      { ...stored, updatedAt: toIso(updatedAt) },
    ]),
  )

async function* mergedRowsOf(handle: Handle, { id: liveId, projectId }: SubscriberRow, ids: readonly string[]) {
  for (const id of ids) {
    const merged = id === liveId ? null : await findById(handle, projectId, id)
    if (merged) yield merged
  }
}

async function* transfersOf(handle: Handle, { row, ids }: ExportedPerson) {
  const { transfers: t } = handle.tables
  const isSide = or(inArray(t.fromSubscriberId, [...ids]), inArray(t.toSubscriberId, [...ids]))
  // The expression keeps SQLite from reading all transfers of the project by its index.
  const isOwn = and(eq(sql`${t.projectId} || ''`, row.projectId), isSide)
  const read = (after: TransferRow | null, limit: number) =>
    handle.db
      .select()
      .from(t)
      .where(and(isOwn, after === null ? undefined : gt(t.id, after.id)))
      .orderBy(asc(t.id))
      .limit(limit)
  for await (const transfer of allRows(read)) yield toTransfer(transfer, new Set(ids))
}

/** Other people who were part of it stay unnamed. */
function toTransfer({ id, cause, fromSubscriberId, toSubscriberId, moved, ...row }: TransferRow, own: Set<string>) {
  const side = (subscriberId: string) => (own.has(subscriberId) ? subscriberId : 'another person')
  const { isMerge, label, purchaseIds, attributeKeys } = moved
  return {
    id,
    cause,
    from: side(fromSubscriberId),
    to: side(toSubscriberId),
    isMerge,
    purchaseIds,
    ...(own.has(fromSubscriberId) ? { appUserId: label, attributeKeys } : {}),
    ...(own.has(toSubscriberId) ? { appUserIdBefore: moved.labelBefore ?? null } : {}),
    createdAt: toIso(row.createdAt),
    undoneAt: toIsoOrNull(row.undoneAt),
  }
}
