import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { listSalesOf } from '../../people/purchases/unlisted-sales'
import type { PersonKey } from '../../people/subscribers/erased-keys'
import { familyOf } from '../../people/subscribers/family'
import { isDetached } from '../../people/subscribers/first-key'
import type { PersonTexts } from '../../people/subscribers/hooks'
import { isAnonymous, listFormerLabels } from '../../people/subscribers/personal-data'
import { findSubscriber, resolveRow, type SubscriberRow, unlessUnresolvable } from '../../people/subscribers/service'

/** Who is to be erased, as the database knows them. */
export interface Person {
  /** The row that answers for all of them; it may be erased already. */
  row: SubscriberRow
  rows: SubscriberRow[]
  deviceKeys: string[]
  labels: string[]
  purchaseIds: string[]
  /** Ids of their purchases and charges at the stores. */
  storeIds: string[]
  accountTokens: string[]
  customerIds: string[]
}

/** Null when the project has no such subscriber. */
export async function findPerson(handle: Handle, projectId: string, subscriberId: string): Promise<Person | null> {
  const named = await findSubscriber(handle, projectId, subscriberId)
  if (!named) return null
  const row = (await resolveRow(handle, named).catch(unlessUnresolvable)) ?? named
  const { subscribers: s } = handle.tables
  const rows = await handle.db
    .select()
    .from(s)
    .where(sql`${s.id} in ${familyOf(handle.tables, row.id)}`)
  const ids = rows.map(({ id }) => id)
  // A row that lost its device to another person still has its key in clear; that key is the other person's.
  const deviceKeys = rows.filter((one) => !isDetached(one)).map(({ deviceKey }) => deviceKey)
  const own = rows.flatMap(({ appUserId }) => appUserId ?? [])
  const labels = [...own, ...(await listFormerLabels(handle, projectId, ids))].filter((label) => !isAnonymous(label))
  return {
    row,
    rows,
    deviceKeys,
    labels: [...new Set(labels)],
    ...(await findBought(handle, projectId, ids, deviceKeys)),
  }
}

async function findBought(
  { db, tables }: Handle,
  projectId: string,
  ids: readonly string[],
  deviceKeys: readonly string[],
) {
  const { purchases: p, purchaseAliases: a, transactions: t, paymentCustomers: c } = tables
  const purchases = await db
    .select({ id: p.id, chainKey: p.chainKey, originalId: p.originalTransactionId, token: p.accountToken })
    .from(p)
    .where(inArray(p.subscriberId, [...ids]))
  const charges = await db
    .select({ id: t.storeTransactionId })
    .from(t)
    .where(inArray(t.subscriberId, [...ids]))
  const customers = await db
    .select({ id: c.customerId })
    .from(c)
    .where(and(eq(c.projectId, projectId), inArray(c.subscriberId, [...ids])))
  const customerIds = idsOf(customers)
  const sales = await listSalesOf({ db, tables }, projectId, { subscriberIds: ids, deviceKeys, customerIds })
  const salesCharges = await bySome(idsOf(sales), (some) =>
    db.select({ id: t.storeTransactionId }).from(t).where(inArray(t.purchaseId, some)),
  )
  const aliases = await bySome(idsOf(purchases), (some) =>
    db.select({ id: a.alias }).from(a).where(inArray(a.purchaseId, some)),
  )
  const storeIds = [
    ...idsOf(aliases),
    ...purchases.flatMap(({ chainKey, originalId }) => [chainKey, originalId]),
    ...sales.map(({ chainKey }) => chainKey),
    ...idsOf([...charges, ...salesCharges]),
  ]
  return {
    purchaseIds: idsOf([...purchases, ...sales]),
    storeIds: [...new Set(storeIds)],
    accountTokens: [...new Set(purchases.flatMap(({ token }) => token ?? []))],
    customerIds,
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Everything by which a later call may name the person. A later event of the provider makes no new row either. */
export const keysOf = ({ rows, deviceKeys, labels, customerIds }: Person): PersonKey[] => [
  ...rows.map(({ id }) => ({ kind: 'SUBSCRIBER' as const, value: id })),
  ...labels.map((value) => ({ kind: 'LABEL' as const, value })),
  ...[...deviceKeys, ...customerIds.map((id) => `payment:${id}`)].map((value) => ({ kind: 'DEVICE' as const, value })),
]

/** Texts that name the person or one of their purchases. */
export function textsOf({ rows, deviceKeys, labels, ...bought }: Person): PersonTexts {
  const emails = rows.flatMap(({ attributes }) => attributes.$email?.value ?? [])
  const { purchaseIds, storeIds, accountTokens, customerIds } = bought
  const ids = rows.map(({ id }) => id)
  return {
    ids: distinct([...ids, ...purchaseIds, ...storeIds, ...customerIds]),
    chosen: distinct([...deviceKeys, ...labels, ...emails, ...accountTokens]),
  }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '')

/** Locks every row of a person, in the order of their ids, and reads them again: a merge may be committed meanwhile. */
export async function lockPerson(tx: Tx, projectId: string, subscriberId: string): Promise<Person | null> {
  const seen = await findPerson(tx, projectId, subscriberId)
  if (!seen) return null
  for (const id of seen.rows.map((row) => row.id).sort()) await tx.lock(`subscriber:${id}`)
  const now = await findPerson(tx, projectId, subscriberId)
  const isSame = now?.rows.length === seen.rows.length && now.rows.every(({ id }) => seen.rows.some((r) => r.id === id))
  return isSame ? now : lockPerson(tx, projectId, subscriberId)
}
