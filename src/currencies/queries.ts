import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Handle } from '../db/handle'
import { prepared } from '../db/prepared'
import type { SubscriberRow } from '../subscribers/service'
import type { LedgerState } from './ledger'

export type LedgerRow = Handle['tables']['ledger']['$inferSelect']

/** Where each ledger of a subscriber stands, by currency id. */
export async function readStates(handle: Handle, subscriberId: string): Promise<Map<string, LedgerState>> {
  const query = prepared(handle, 'balances.bySubscriber', ({ db, tables: { balances: b } }) => {
    const columns = { currencyId: b.currencyId, balance: b.balance, number: b.number }
    return db
      .select(columns)
      .from(b)
      .where(eq(b.subscriberId, sql.placeholder('subscriberId')))
      .prepare()
  })
  const rows = await query.execute({ subscriberId })
  return new Map(rows.map(({ currencyId, balance, number }) => [currencyId, { balance, number }]))
}

/** Insert-or-ignore on (project, currency, grantReference): null when that reference was booked before. */
export async function insertEntry({ db, tables }: Handle, row: LedgerRow): Promise<LedgerRow | null> {
  const { ledger: l } = tables
  const target = [l.projectId, l.currencyId, l.grantReference]
  const [inserted] = await db.insert(l).values(row).onConflictDoNothing({ target }).returning()
  return inserted ?? null
}

/** Makes an entry the last one of its ledger. */
export async function saveState({ db, tables }: Handle, entry: LedgerRow): Promise<void> {
  const { balances: b } = tables
  const { subscriberId, currencyId, balance, number } = entry
  await db
    .insert(b)
    .values({ subscriberId, currencyId, balance, number })
    .onConflictDoUpdate({ target: [b.subscriberId, b.currencyId], set: { balance, number } })
}

export interface Scope {
  projectId: string
  subscriberId: string
  currencyId: string
}

/** Entries under an idempotency key, of the subscriber and of every row merged into it at whatever depth; oldest first. */
export async function listByKey({ db, tables }: Handle, scope: Scope, idempotencyKey: string): Promise<LedgerRow[]> {
  const { ledger: l, subscribers: s } = tables
  const family = sql`(with recursive family(id) as (
    select ${s.id} from ${s} where ${s.id} = ${scope.subscriberId}
    union select ${s.id} from ${s} join family on ${s.mergedInto} = family.id) select id from family)`
  const isKey = and(
    eq(l.projectId, scope.projectId),
    eq(l.currencyId, scope.currencyId),
    eq(l.idempotencyKey, idempotencyKey),
  )
  const rows = db
    .select()
    .from(l)
    .where(and(isKey, sql`${l.subscriberId} in ${family}`))
  return rows.orderBy(asc(l.createdAt), asc(l.id))
}

/** Entries booked under these grant references, whoever holds them. */
export async function listGrants(
  { db, tables }: Handle,
  projectId: string,
  currencyIds: readonly string[],
  references: readonly string[],
): Promise<LedgerRow[]> {
  const { ledger: l } = tables
  const isCurrency = and(eq(l.projectId, projectId), inArray(l.currencyId, [...currencyIds]))
  const rows = db
    .select()
    .from(l)
    .where(and(isCurrency, inArray(l.grantReference, [...references])))
  return rows.orderBy(asc(l.currencyId), asc(l.id))
}

/** The subscriber's row as it is now; inside a write, after its lock, as the last merge left it. */
export async function findSubscriber(
  { db, tables }: Handle,
  projectId: string,
  id: string,
): Promise<SubscriberRow | null> {
  const { subscribers: s } = tables
  const [row] = await db
    .select()
    .from(s)
    .where(and(eq(s.id, id), eq(s.projectId, projectId)))
  return row ?? null
}
