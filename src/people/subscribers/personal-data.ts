import { and, eq, gte, inArray, lt, or } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { sha256Hex } from '../../base/lib/hash'
import type { ErasedColumn } from './columns'
import { detachedKey, firstDeviceKey, holdoutBucketOf, isDetached } from './first-key'
import type { ErasedRows, OnErase } from './hooks'
import type { SubscriberRow } from './queries'
import { NOTHING_MOVED, type TransferMoved } from './transfer-moved'

const PAGE = 500

/** At an erasure: the rows of a person stay, so that purchases have an owner, but say nothing about anybody. */
export const eraseSubscriberRows: OnErase = async (tx, { id: projectId }, _row, { ids, deviceKeys }) => {
  const { subscribers: s } = tx.tables
  const rows = await tx.db
    .select()
    .from(s)
    .where(inArray(s.id, [...ids]))
  for (const row of rows) await tx.db.update(s).set(reducedRow(row, tx.clock.now())).where(eq(s.id, row.id))
  const others = await forgetDevices(tx, projectId, new Set(deviceKeys), new Set(ids))
  const transfers = await reduceTransfers(tx, ids)
  return {
    subscribers: { reduced: rows.length + others },
    // They are a part of the row here, and a file of their own in an export.
    attributes: { removed: rows.reduce((sum, { attributes }) => sum + Object.keys(attributes).length, 0) },
    transfers: { reduced: transfers },
  } satisfies ErasedRows
}

/** The label of an erased person (wire 5.17). One that was replaced before stays as it is. */
export const anonymousLabel = (projectId: string, label: string): string =>
  isAnonymous(label) ? label : `anon:${sha256Hex(`${projectId}|${label}`).slice(0, 32)}`

export const isAnonymous = (label: string): boolean => /^anon:[0-9a-f]{32}$/.test(label)

const reducedRow = (row: SubscriberRow, now: number) => ({
  ...withoutPerson(row),
  updatedAt: now,
  ...(row.mergedInto === null && { erasedAt: row.erasedAt ?? now }),
})

/** Both key and label stay unique. The instants stay, because new customers are counted by them. */
const withoutPerson = ({ id, projectId, appUserId }: SubscriberRow): Pick<SubscriberRow, ErasedColumn> => ({
  ...keyed(detachedKey(id, '')),
  appUserId: appUserId === null ? null : anonymousLabel(projectId, appUserId),
  attributes: {},
})

/** Another device key, and what is computed from it. */
const keyed = (deviceKey: string) => ({ deviceKey, holdoutBucket: holdoutBucketOf({ deviceKey }) })

/**
 * A row whose device now is the erased person's has that device's key in its own stored key. It gets another one, and
 * so another bucket for what it is not assigned to yet.
 */
async function forgetDevices(tx: Tx, projectId: string, keys: ReadonlySet<string>, own: ReadonlySet<string>) {
  const { subscribers: s } = tx.tables
  const marked = and(eq(s.projectId, projectId), gte(s.deviceKey, '\u0001'), lt(s.deviceKey, '\u0002'))
  const detached = await tx.db.select({ id: s.id, deviceKey: s.deviceKey }).from(s).where(marked)
  const holding = detached.filter((row) => !own.has(row.id) && isDetached(row) && keys.has(firstDeviceKey(row)))
  for (const { id } of holding)
    await tx.db
      .update(s)
      .set(keyed(detachedKey(id, id)))
      .where(eq(s.id, id))
  return holding.length
}

/** What a transfer has moved stays known, without labels and without what was dropped. */
async function reduceTransfers(tx: Tx, ids: readonly string[]): Promise<number> {
  const { transfers: t } = tx.tables
  const isSide = or(inArray(t.fromSubscriberId, [...ids]), inArray(t.toSubscriberId, [...ids]))
  const rows = await tx.db.select({ id: t.id, moved: t.moved }).from(t).where(isSide)
  for (const { id, moved } of rows)
    await tx.db
      .update(t)
      .set({ moved: reducedMoves(moved) })
      .where(eq(t.id, id))
  return rows.length
}

const reducedMoves = ({ isMerge, purchaseIds, credits, repointedIds = [] }: TransferMoved): TransferMoved => ({
  ...NOTHING_MOVED,
  ...{ isMerge, purchaseIds, credits, repointedIds },
})

/** The labels that rows of a person had before they were merged. One that another person has now is not among them. */
export async function listFormerLabels(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { transfers: t, subscribers: s } = tables
  const isMove = and(inArray(t.fromSubscriberId, [...ids]), inArray(t.toSubscriberId, [...ids]))
  const rows = await db.select({ moved: t.moved }).from(t).where(isMove)
  const labels = rows.flatMap(({ moved }) => [moved.label, moved.labelBefore ?? null]).filter((one) => one !== null)
  const found: string[] = []
  for (let at = 0; at < labels.length; at += PAGE) {
    const some = labels.slice(at, at + PAGE)
    const isHeld = and(eq(s.projectId, projectId), inArray(s.appUserId, some))
    const held = await db.select({ id: s.id, label: s.appUserId }).from(s).where(isHeld)
    const strangers = held.filter(({ id }) => !ids.includes(id)).map(({ label }) => label)
    found.push(...some.filter((label) => !strangers.includes(label)))
  }
  return [...new Set(found)]
}
