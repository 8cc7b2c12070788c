import { and, asc, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import { exactly } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
import { familyOf } from '../../people/subscribers/family'
import type { SubscriberRow } from '../../people/subscribers/service'

export type KeyRow = Pick<SubscriberRow, 'id' | 'deviceKey' | 'appUserId' | 'erasedAt'>

const keyColumns = ({ subscribers: s }: Handle['tables']) => ({
  id: s.id,
  deviceKey: s.deviceKey,
  appUserId: s.appUserId,
  erasedAt: s.erasedAt,
})

/** A subscriber and every row that was merged into it, the oldest first. */
export async function listFamily({ db, tables }: Handle, subscriberId: string): Promise<KeyRow[]> {
  const { subscribers: s } = tables
  return db
    .select(keyColumns(tables))
    .from(s)
    .where(sql`${s.id} in ${familyOf(tables, subscriberId)}`)
    .orderBy(asc(s.createdAt), asc(s.id))
}

/** Rows by their ids, the oldest first. */
export async function listRows({ db, tables }: Handle, projectId: string, ids: readonly string[]): Promise<KeyRow[]> {
  const { subscribers: s } = tables
  const isNamed = and(inArray(s.id, [...ids]), eq(sql`${s.projectId} || ''`, projectId))
  return db.select(keyColumns(tables)).from(s).where(isNamed).orderBy(asc(s.createdAt), asc(s.id))
}

export type TransferRow = Handle['tables']['transfers']['$inferSelect']

/** The transfers into one of these rows, up to an instant. */
export async function listTransfersInto(
  { db, tables }: Handle,
  subscriberIds: readonly string[],
  until: number,
): Promise<Pick<TransferRow, 'id' | 'fromSubscriberId' | 'toSubscriberId' | 'moved' | 'createdAt' | 'undoneAt'>[]> {
  const { transfers: t } = tables
  const { id, fromSubscriberId, toSubscriberId, moved, createdAt, undoneAt } = t
  return db
    .select({ id, fromSubscriberId, toSubscriberId, moved, createdAt, undoneAt })
    .from(t)
    .where(and(inArray(t.toSubscriberId, [...subscriberIds]), lte(t.createdAt, until)))
}

/** The newest transfer from one subscriber to another, up to an instant. */
export async function findTransferBetween(
  { db, tables }: Handle,
  { from, to, until }: { from: string; to: string; until: number },
): Promise<TransferRow | null> {
  const { transfers: t } = tables
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.fromSubscriberId, from), eq(t.toSubscriberId, to), lte(t.createdAt, until)))
    .orderBy(desc(t.createdAt), desc(t.id))
    .limit(1)
  return row ?? null
}

export interface LedgerEntry {
  id: string
  amount: bigint
  balance: bigint
  grantReference: string | null
}

/** A subscriber's entries in a currency that were booked at an instant. */
export async function listEntriesAt(
  { db, tables }: Handle,
  { subscriberId, currencyId, at }: { subscriberId: string; currencyId: string; at: number },
): Promise<LedgerEntry[]> {
  const { ledger: l } = tables
  const isOfLedger = and(eq(l.subscriberId, subscriberId), eq(l.currencyId, currencyId))
  return db
    .select({ id: l.id, amount: exactly(l.amount), balance: exactly(l.balance), grantReference: l.grantReference })
    .from(l)
    .where(and(isOfLedger, eq(l.createdAt, at)))
    .orderBy(asc(l.number))
}
