import { and, eq, inArray, sql } from 'drizzle-orm'
import { bySome } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import { beginsWith } from '../../base/db/range'

type PurchaseRow = Handle['tables']['purchases']['$inferSelect']
type TransactionRow = Handle['tables']['transactions']['$inferSelect']

// When rows turn out to be one purchase, the ids of those that go become further names of the one that stays.

/** The store whose rows are joined. */
const STORE = 'IOS_STORE'

/** The purchase that the row with this id was joined with. */
export async function findJoined(handle: Handle, projectId: string, id: string): Promise<PurchaseRow | null> {
  if (!id.startsWith('pur_')) return null
  const query = prepared(handle, 'purchases.joined', ({ db, tables: { purchases: p, purchaseAliases: a } }) => {
    const isAlias = and(eq(a.projectId, sql.placeholder('projectId')), eq(a.store, STORE))
    return db
      .select({ row: p })
      .from(a)
      .innerJoin(p, eq(p.id, a.purchaseId))
      .where(and(isAlias, eq(a.alias, sql.placeholder('id'))))
      .limit(1)
      .prepare()
  })
  const [found] = await query.execute({ projectId, id })
  return found?.row ?? null
}

/** A row that went, and the purchase that it was joined with. */
export interface JoinedId {
  id: string
  purchaseId: string
}

/** The rows that were joined with the given purchases. */
export const listJoinedWith = (
  { db, tables: { purchaseAliases: a } }: Handle,
  purchaseIds: readonly string[],
): Promise<JoinedId[]> =>
  bySome(purchaseIds, (some) =>
    db
      .select({ id: a.alias, purchaseId: a.purchaseId })
      .from(a)
      .where(and(inArray(a.purchaseId, some), beginsWith(a.alias, 'pur_'))),
  )

/** Purchase ids, with that of the row that stayed for each row that was joined with another; each once. */
export async function resolvePurchaseIds(
  { db, tables: { purchaseAliases: a } }: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const isStore = and(eq(a.projectId, projectId), eq(a.store, STORE))
  const rows = await bySome(ids, (some) =>
    db
      .select({ alias: a.alias, purchaseId: a.purchaseId })
      .from(a)
      .where(and(isStore, inArray(a.alias, some))),
  )
  const joined = new Map(rows.map(({ alias, purchaseId }) => [alias, purchaseId]))
  return [...new Set(ids.map((id) => joined.get(id) ?? id))]
}

/** The money line that stayed when the one with this id was removed, because it counted the charge a second time. */
export async function findJoinedTransaction(
  { db, tables: { transactions: t, joinedTransactions: j } }: Handle,
  projectId: string,
  id: string,
): Promise<TransactionRow | null> {
  if (!id.startsWith('txn_')) return null
  const isOne = and(eq(j.id, id), eq(j.projectId, projectId))
  const rows = await db.select({ row: t }).from(j).innerJoin(t, eq(t.id, j.transactionId)).where(isOne)
  return rows[0]?.row ?? null
}

/** A money line that goes, and the one that stays for its charge. */
export interface JoinedTransaction {
  id: string
  transactionId: string
}

/** Keeps the ids of money lines that go. Ids that led to one of them lead to the line that stays. */
export async function saveJoinedTransactions(
  { db, tables: { joinedTransactions: j } }: Handle,
  projectId: string,
  joined: readonly JoinedTransaction[],
): Promise<void> {
  for (const { id, transactionId } of joined) await db.update(j).set({ transactionId }).where(eq(j.transactionId, id))
  await db
    .insert(j)
    .values(joined.map((one) => ({ projectId, ...one })))
    .onConflictDoNothing()
}
