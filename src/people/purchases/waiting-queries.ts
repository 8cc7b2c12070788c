import { and, count, eq, gt, gte, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import type { Store } from '../../stores/observation'

// A purchase waits when it has no product, and a money line likewise; an unlisted sale always. Each has an index of its waiting rows. All texts
// are compared byte by byte.

/** A store product that purchases or money lines name and no product had when they were recorded. */
export interface Awaited {
  store: Store
  storeProductId: string
}

/** The store product ids from one to another, both included; without an end, all from the first on. */
export interface AwaitedSpan {
  store: Store
  from: string
  until: string | null
}

export type Kind = 'PURCHASE' | 'SALE' | 'LINE'

export const KINDS: readonly Kind[] = ['PURCHASE', 'SALE', 'LINE']

/** The rows that wait, of one of the tables, and their purchases. */
export function waitingOf({ purchases: p, transactions: t, unlistedSales: u }: Handle['tables'], kind: Kind) {
  if (kind === 'SALE') return { table: u, purchaseId: u.id, isWaiting: isNull(u.erasedAt) }
  return kind === 'PURCHASE'
    ? { table: p, purchaseId: p.id, isWaiting: and(isNull(p.productId), isNull(p.accessIds)) }
    : { table: t, purchaseId: t.purchaseId, isWaiting: isNull(t.productId) }
}

/** The store products within a span that something of the project waits for. Reads one entry of an index for each. */
export async function listAwaited(handle: Handle, projectId: string, span: AwaitedSpan): Promise<Awaited[]> {
  const found = new Set<string>()
  for (const kind of KINDS) for await (const id of awaitedIds(handle, kind, projectId, span, null)) found.add(id)
  return [...found].sort().map((storeProductId) => ({ store: span.store, storeProductId }))
}

/** At most so many of the store products behind the given one that something of the project waits for, in their order. */
export async function listAwaitedAfter(
  handle: Handle,
  projectId: string,
  { store, storeProductId }: Awaited,
  limit: number,
): Promise<Awaited[]> {
  const found = new Set<string>()
  const span = { store, from: '', until: null }
  for (const kind of KINDS) {
    let left = limit
    for await (const id of awaitedIds(handle, kind, projectId, span, storeProductId)) {
      found.add(id)
      if (--left === 0) break
    }
  }
  const ids = [...found].sort().slice(0, limit)
  return ids.map((id) => ({ store, storeProductId: id }))
}

async function* awaitedIds(
  handle: Handle,
  kind: Kind,
  projectId: string,
  span: AwaitedSpan,
  after: string | null,
): AsyncGenerator<string> {
  for (let last = after; ; ) {
    const next = await findAwaited(handle, kind, projectId, span, last)
    if (next === null) return
    yield next
    last = next
  }
}

async function findAwaited(
  handle: Handle,
  kind: Kind,
  projectId: string,
  { store, from, until }: AwaitedSpan,
  after: string | null,
): Promise<string | null> {
  const bound = `${after === null ? 'from' : 'after'} ${until === null ? 'on' : 'until'}`
  const query = prepared(handle, `purchases.awaited ${kind} ${bound}`, ({ db, tables }) => {
    const { table, isWaiting } = waitingOf(tables, kind)
    const { storeProductId: id } = table
    const isOfStore = and(eq(table.projectId, sql.placeholder('projectId')), eq(table.store, sql.placeholder('store')))
    const isBehind = after === null ? gte(id, sql.placeholder('first')) : gt(id, sql.placeholder('first'))
    const isBefore = until === null ? undefined : lte(id, sql.placeholder('until'))
    return db
      .select({ id })
      .from(table)
      .where(and(isOfStore, isWaiting, isNotNull(id), isBehind, isBefore))
      .orderBy(id)
      .limit(1)
      .prepare()
  })
  const [row] = await query.execute({ projectId, store, first: after ?? from, ...(until !== null && { until }) })
  return row?.id ?? null
}

/** How many purchases and unlisted sales wait for a store product. */
export async function countWaiting(handle: Handle, projectId: string, awaited: Awaited): Promise<number> {
  let total = 0
  for (const kind of ['PURCHASE', 'SALE'] as const) {
    const { table, isWaiting } = waitingOf(handle.tables, kind)
    const isAwaited = and(isOf(table, projectId, awaited), isWaiting)
    const [row] = await handle.db.select({ count: count() }).from(table).where(isAwaited)
    total += row?.count ?? 0
  }
  return total
}

type Table = Handle['tables']['purchases'] | Handle['tables']['transactions'] | Handle['tables']['unlistedSales']

const isOf = (table: Table, projectId: string, { store, storeProductId }: Awaited): SQL | undefined =>
  and(eq(table.projectId, projectId), eq(table.store, store), eq(table.storeProductId, storeProductId))

/**
 * The purchases that wait for a store product, or that have a money line that does, by id; after the one with the given
 * id.
 */
export async function listWaiting(
  { db, tables }: Handle,
  kind: Kind,
  projectId: string,
  awaited: Awaited,
  after: string,
  limit: number,
): Promise<string[]> {
  const { table, purchaseId, isWaiting } = waitingOf(tables, kind)
  const rows = await db
    .selectDistinct({ id: purchaseId })
    .from(table)
    .where(and(isOf(table, projectId, awaited), isWaiting, gt(purchaseId, after)))
    .orderBy(purchaseId)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Like `listWaiting`, for rows of before the column that names their store product. */
export async function listUnnamed(
  { db, tables }: Handle,
  kind: Kind,
  projectId: string,
  store: Store,
  after: string,
  limit: number,
): Promise<string[]> {
  const { table, purchaseId, isWaiting } = waitingOf(tables, kind)
  const isOfStore = and(eq(table.projectId, projectId), eq(table.store, store), isNull(table.storeProductId))
  const rows = await db
    .selectDistinct({ id: purchaseId })
    .from(table)
    .where(and(isOfStore, isWaiting, gt(purchaseId, after)))
    .orderBy(purchaseId)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** The projects in which something waits. */
export async function listWaitingProjects(handle: Handle): Promise<string[]> {
  const found = new Set<string>()
  for (const kind of KINDS)
    for (let last = ''; ; ) {
      const next = await findWaitingProject(handle, kind, last)
      if (next === null) break
      found.add(next)
      last = next
    }
  return [...found].sort()
}

async function findWaitingProject({ db, tables }: Handle, kind: Kind, after: string): Promise<string | null> {
  const { table, isWaiting } = waitingOf(tables, kind)
  const isNext = and(gt(table.projectId, after), isWaiting)
  const [row] = await db.select({ id: table.projectId }).from(table).where(isNext).orderBy(table.projectId).limit(1)
  return row?.id ?? null
}
