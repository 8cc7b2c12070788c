import { and, desc, eq, gte, inArray, lt, ne, type SQL, sql, sum } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { beginsWith, isBefore } from '../../base/db/range'
import type { PurchaseStatus } from '../../core/purchase/status'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { PurchaseRow, TransactionRow } from './queries'

/** Ids before one and from another one on. */
interface IdRange {
  before: string | null
  start?: string | null
}

/** A purchase without its fold, which is most of its row. */
export type PurchaseHead = Pick<
  PurchaseRow,
  'id' | 'subscriberId' | 'store' | 'environment' | 'productId' | 'createdAt'
>

interface HeadScope {
  projectId: string
  statuses: readonly PurchaseStatus[]
  /** When they end; null = at any time. */
  endsIn?: { from: number | null; to: number | null } | null
}

/** The purchases of a project that were last saved with one of these statuses, newest first. */
export async function listHeads(
  handle: Handle,
  scope: HeadScope,
  range: IdRange,
  limit: number,
): Promise<PurchaseHead[]> {
  const lists: PurchaseHead[][] = []
  // One range of the index for each status: over several at once the database would sort all their rows.
  for (const status of scope.statuses) lists.push(await listHeadsOf(handle, scope, status, range, limit))
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

async function listHeadsOf(
  { db, tables }: Handle,
  { projectId, endsIn = null }: HeadScope,
  status: PurchaseStatus,
  { before, start = null }: IdRange,
  limit: number,
): Promise<PurchaseHead[]> {
  const { purchases: p } = tables
  const isWithin = and(before === null ? undefined : lt(p.id, before), start === null ? undefined : gte(p.id, start))
  const { id, subscriberId, store, environment, productId, createdAt } = p
  return db
    .select({ id, subscriberId, store, environment, productId, createdAt })
    .from(p)
    .where(
      and(
        eq(p.projectId, projectId),
        eq(p.status, status),
        isWithin,
        endsIn ? isIn(p.effectiveEnd, endsIn) : undefined,
      ),
    )
    .orderBy(desc(p.id))
    .limit(limit)
}

/** Purchases whose original transaction id at a store starts with the text. */
export async function listByOriginal(
  { db, tables }: Handle,
  projectId: string,
  store: Store,
  text: string,
  limit: number,
): Promise<PurchaseRow[]> {
  const { purchases: p } = tables
  const isFound = and(eq(p.projectId, projectId), eq(p.store, store), beginsWith(p.originalTransactionId, text))
  return db.select().from(p).where(isFound).orderBy(p.originalTransactionId).limit(limit)
}

/** Money lines whose transaction, order or invoice id at a store starts with the text. */
export async function listLinesByStoreId(
  { db, tables }: Handle,
  projectId: string,
  store: Store,
  text: string,
  limit: number,
): Promise<TransactionRow[]> {
  const { transactions: t } = tables
  const isFound = and(eq(t.projectId, projectId), beginsWith(t.revenueKey, `${store}:${text}`))
  return db.select().from(t).where(isFound).orderBy(t.revenueKey).limit(limit)
}

/** Which money lines a list has; null = all. */
export interface LineFilter {
  subscriberId: string | null
  purchaseId: string | null
  from: number | null
  to: number | null
}

/** The money lines of a project before a position (instant and id), newest first. */
export async function listLines(
  { db, tables }: Handle,
  projectId: string,
  filter: LineFilter,
  before: readonly [number, string] | null,
  limit: number,
): Promise<TransactionRow[]> {
  const { transactions: t } = tables
  const isEarlier = before === null ? undefined : isBefore([t.occurredAt, t.id], before)
  return db
    .select()
    .from(t)
    .where(and(ownerOf({ db, tables }, projectId, filter), isIn(t.occurredAt, filter), isEarlier))
    .orderBy(desc(t.occurredAt), desc(t.id))
    .limit(limit)
}

/**
 * One person and one purchase have few lines. The expression keeps the databases from reading the lines of all people in
 * the order of time to find them.
 */
function ownerOf({ tables: { transactions: t } }: Handle, projectId: string, filter: LineFilter): SQL | undefined {
  const { subscriberId, purchaseId } = filter
  if (purchaseId === null && subscriberId === null) return eq(t.projectId, projectId)
  return and(
    eq(sql`${t.projectId} || ''`, projectId),
    purchaseId === null ? undefined : eq(t.purchaseId, purchaseId),
    subscriberId === null ? undefined : eq(t.subscriberId, subscriberId),
  )
}

const isIn = (
  column: Handle['tables']['transactions']['occurredAt'] | Handle['tables']['purchases']['effectiveEnd'],
  { from, to }: Pick<LineFilter, 'from' | 'to'>,
): SQL | undefined => and(from === null ? undefined : gte(column, from), to === null ? undefined : lt(column, to))

/** What each subscriber paid less what they got back, in millionths of a dollar, of the amounts known in dollars. */
export async function sumSpent(
  { db, tables }: Handle,
  subscriberIds: readonly string[],
  environment: PurchaseEnvironment,
): Promise<Map<string, number>> {
  if (subscriberIds.length === 0) return new Map()
  const { transactions: t } = tables
  const isTheirs = and(inArray(t.subscriberId, [...subscriberIds]), eq(t.environment, environment))
  const rows = await db
    .select({ id: t.subscriberId, spent: sum(t.usdMicros) })
    .from(t)
    .where(isTheirs)
    .groupBy(t.subscriberId)
  return new Map(rows.map(({ id, spent }) => [id, Number(spent ?? 0)]))
}

/** The country of the storefront of each one's newest purchase. */
export async function listCountries(
  { db, tables }: Handle,
  subscriberIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (subscriberIds.length === 0) return new Map()
  const { purchases: p } = tables
  const rows = await db
    .select({
      owner: p.subscriberId,
      at: sql<number | string>`${p.fold} ->> 'purchaseDate'`,
      country: sql<string | null>`${p.fold} ->> 'country'`,
    })
    .from(p)
    .where(inArray(p.subscriberId, [...subscriberIds]))
    .orderBy(p.id)
  return new Map(rows.sort((a, b) => Number(a.at) - Number(b.at)).map(({ owner, country }) => [owner, country]))
}

/** In which environments people bought at a store; who bought nothing is missing. */
export async function listBuyingEnvironments(
  { db, tables }: Handle,
  subscriberIds: readonly string[],
): Promise<Map<string, Set<PurchaseEnvironment>>> {
  if (subscriberIds.length === 0) return new Map()
  const { purchases: p } = tables
  const rows = await db
    .selectDistinct({ id: p.subscriberId, environment: p.environment })
    .from(p)
    .where(and(inArray(p.subscriberId, [...subscriberIds]), ne(p.store, 'MANUAL')))
  const found = new Map<string, Set<PurchaseEnvironment>>()
  for (const { id, environment } of rows) found.set(id, (found.get(id) ?? new Set()).add(environment))
  return found
}
