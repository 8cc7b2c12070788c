import { and, asc, desc, eq, getTableColumns, inArray, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { exactly, fromStored } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
import { prepared, preparedRows } from '../../base/db/prepared'
import { familyOf } from '../subscribers/family'
import type { LedgerState } from './ledger'

export type LedgerRow = Handle['tables']['ledger']['$inferSelect']

export const columnsOf = (l: Handle['tables']['ledger']) => ({
  ...getTableColumns(l),
  amount: exactly(l.amount),
  balance: exactly(l.balance),
})

/** The state of each ledger of a subscriber, by currency id. */
export async function readStates(handle: Handle, subscriberId: string): Promise<Map<string, LedgerState>> {
  const query = prepared(handle, 'balances.bySubscriber', ({ db, tables: { balances: b } }) => {
    const columns = { currencyId: b.currencyId, balance: exactly(b.balance), number: b.number }
    return db
      .select(columns)
      .from(b)
      .where(eq(b.subscriberId, sql.placeholder('subscriberId')))
      .prepare()
  })
  const rows = await query.execute({ subscriberId })
  return new Map(rows.map(({ currencyId, balance, number }) => [currencyId, { balance, number }]))
}

/** Inserts an entry unless (project, currency, grantReference) exists; null when it exists. */
export async function insertEntry(handle: Handle, row: LedgerRow): Promise<LedgerRow | null> {
  const { shape, values, params } = preparedRows([row])
  const build = ({ db, tables: { ledger: l } }: Handle) => {
    const target = [l.projectId, l.currencyId, l.grantReference]
    return db.insert(l).values(values()).onConflictDoNothing({ target }).returning({ id: l.id }).prepare()
  }
  const [inserted] = await prepared(handle, `ledger.insert ${shape}`, build).execute(params)
  return inserted ? row : null
}

/** Saves the balance and the number of an entry as the state of its ledger. */
export async function saveState(
  handle: Handle,
  { subscriberId, currencyId, balance, number }: LedgerRow,
): Promise<void> {
  const { shape, values, params } = preparedRows([{ subscriberId, currencyId, balance, number }])
  const build = ({ db, tables: { balances: b } }: Handle) => {
    const set = { balance: sql`excluded.balance`, number: sql`excluded.number` }
    return db
      .insert(b)
      .values(values())
      .onConflictDoUpdate({ target: [b.subscriberId, b.currencyId], set })
      .prepare()
  }
  await prepared(handle, `balances.save ${shape}`, build).execute(params)
}

/** A subscriber's entries of all currencies before an id, newest first. */
export async function listEntries(
  { db, tables }: Handle,
  subscriberId: string,
  beforeId: string | null,
  limit: number,
): Promise<LedgerRow[]> {
  const { ledger: l } = tables
  const isEarlier = beforeId === null ? undefined : lt(l.id, beforeId)
  const found = db.select(columnsOf(l)).from(l)
  return found
    .where(and(eq(l.subscriberId, subscriberId), isEarlier))
    .orderBy(desc(l.id))
    .limit(limit)
}

export interface Scope {
  projectId: string
  subscriberId: string
  currencyId: string
}

/** Entries with an idempotency key, of the subscriber and of all rows merged into it; oldest first. */
export async function listByKey(handle: Handle, scope: Scope, idempotencyKey: string): Promise<LedgerRow[]> {
  const query = prepared(handle, 'ledger.byKey', ({ db, tables }) => {
    const { ledger: l } = tables
    const family = familyOf(tables, sql.placeholder('subscriberId'))
    const isKey = and(
      eq(l.projectId, sql.placeholder('projectId')),
      eq(l.currencyId, sql.placeholder('currencyId')),
      eq(l.idempotencyKey, sql.placeholder('idempotencyKey')),
    )
    return db
      .select(columnsOf(l))
      .from(l)
      .where(and(isKey, sql`${l.subscriberId} in ${family}`))
      .orderBy(asc(l.createdAt), asc(l.id))
      .prepare()
  })
  return query.execute({ ...scope, idempotencyKey })
}

/** All entries of a currency except spending, of the subscriber and all rows merged into it; oldest first. */
export async function listCredits({ db, tables }: Handle, { subscriberId, currencyId }: Scope): Promise<LedgerRow[]> {
  const { ledger: l } = tables
  const isHeld = and(eq(l.currencyId, currencyId), sql`${l.subscriberId} in ${familyOf(tables, subscriberId)}`)
  return db
    .select(columnsOf(l))
    .from(l)
    .where(and(isHeld, sql`not ${isSpending(l)}`))
    .orderBy(asc(l.createdAt), asc(l.subscriberId), asc(l.number))
}

/**
 * The sum (0 or more) that the subscriber and all rows merged into it spent of a currency or lost by expiry. The halves
 * of the amounts are summed on their own, because the whole sum may need more than 64 bits.
 */
export async function sumSpent({ db, tables }: Handle, { subscriberId, currencyId }: Scope): Promise<bigint> {
  const { ledger: l } = tables
  const isHeld = and(eq(l.currencyId, currencyId), sql`${l.subscriberId} in ${familyOf(tables, subscriberId)}`)
  const [row] = await db
    .select({
      high: sql<bigint | null>`cast(sum(${l.amount} >> 32) as text)`.mapWith(fromStored),
      low: sql<bigint | null>`cast(sum(${l.amount} & 4294967295) as text)`.mapWith(fromStored),
    })
    .from(l)
    .where(and(isHeld, isSpending(l)))
  return 0n - ((row?.high ?? 0n) * HALF + (row?.low ?? 0n))
}

const HALF = 2n ** 32n

/** Entries that lower the balance, except transfers and entries that take a grant back. */
const isSpending = (l: Handle['tables']['ledger']): SQL =>
  sql`(${and(lt(l.amount, 0n), sql`${l.grantReference} is null`, notInArray(l.type, ['TRANSFER_IN', 'TRANSFER_OUT']))})`

/** Entries with these grant references, of all subscribers. */
export async function listGrants(
  { db, tables }: Handle,
  projectId: string,
  currencyIds: readonly string[],
  references: readonly string[],
): Promise<LedgerRow[]> {
  if (currencyIds.length === 0 || references.length === 0) return []
  const { ledger: l } = tables
  const isCurrency = and(eq(l.projectId, projectId), inArray(l.currencyId, [...currencyIds]))
  const rows = db
    .select(columnsOf(l))
    .from(l)
    .where(and(isCurrency, inArray(l.grantReference, [...references])))
  return rows.orderBy(asc(l.currencyId), asc(l.id))
}

/** How many subscribers hold each currency, and how much of it exists. Summed in halves as in `sumSpent`. */
export async function sumBalances(
  { db, tables }: Handle,
  currencyIds: readonly string[],
): Promise<Map<string, { holders: number; total: bigint }>> {
  const { balances: b } = tables
  const rows = await db
    .select({
      currencyId: b.currencyId,
      holders: sql<number>`count(case when ${b.balance} > 0 then 1 end)`.mapWith(Number),
      high: sql<bigint>`cast(sum(${b.balance} >> 32) as text)`.mapWith(fromStored),
      low: sql<bigint>`cast(sum(${b.balance} & 4294967295) as text)`.mapWith(fromStored),
    })
    .from(b)
    .where(inArray(b.currencyId, [...currencyIds]))
    .groupBy(b.currencyId)
  return new Map(rows.map(({ currencyId, holders, high, low }) => [currencyId, { holders, total: high * HALF + low }]))
}
