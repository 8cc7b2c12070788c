import { and, eq, inArray, type Placeholder, sql } from 'drizzle-orm'
import { byPrepared } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { executeOne, prepared } from '../../base/db/prepared'
import { beginsWith } from '../../base/db/range'
import type { Store } from '../../stores/observation'
import { findByChain, type PurchaseRow } from './queries'

/** The names by which a purchase can be known: the key of its chain, and the id of a transaction of it. */
export interface ChainNames {
  chainKey: string
  transactionId: string
}

/**
 * The purchase that has one of the names as key or as alias; null when there is none. There are several only when a
 * store, or a file, reported them before it reported that they are one: then it is the one with the key.
 */
export async function findByNames(
  handle: Handle,
  projectId: string,
  store: Store,
  { chainKey, transactionId }: ChainNames,
): Promise<PurchaseRow | null> {
  const names = { projectId, store, chainKey, transactionId }
  if (chainKey === transactionId) return findByName(handle, { projectId, store, name: chainKey })
  // A renewal is nearly always of a purchase with the key, and one by key alone takes a third of the time.
  return (await findByChain(handle, projectId, store, chainKey)) ?? findNamed(handle, names)
}

/** Like `findNamed`, for one name: a first purchase has one, and without a sort it takes half the time. */
async function findByName(
  handle: Handle,
  name: { projectId: string; store: Store; name: string },
): Promise<PurchaseRow | null> {
  const query = prepared(handle, 'purchases.byName', ({ db, tables: { purchases: p, purchaseAliases: a } }) => {
    const [projectId, store, own] = ['projectId', 'store', 'name'].map((one) => sql.placeholder(one))
    const isKeyed = sql`${p.projectId} = ${projectId} and ${p.store} = ${store} and ${p.chainKey} = ${own}`
    const keyed = sql`select min(${p.id}) from ${p} where ${isKeyed}`
    const isNamed = sql`${a.projectId} = ${projectId} and ${a.store} = ${store} and ${a.alias} = ${own}`
    const aliased = sql`select ${a.purchaseId} from ${a} where ${isNamed}`
    return db.select().from(p).where(sql`${p.id} = coalesce((${keyed}), (${aliased}))`).limit(1).prepare()
  })
  return executeOne(query, name)
}

async function findNamed(
  handle: Handle,
  names: ChainNames & { projectId: string; store: Store },
): Promise<PurchaseRow | null> {
  const query = prepared(handle, 'purchases.byNames', (one) => {
    const { purchases: p } = one.tables
    const rank = sql`case when ${p.chainKey} = ${sql.placeholder('chainKey')} then 0 else 1 end`
    return named(one).orderBy(rank, p.id).limit(1).prepare()
  })
  const [row] = await query.execute({ ...names })
  return row ?? null
}

function named({ db, tables: { purchases: p, purchaseAliases: a } }: Handle) {
  const names = [sql.placeholder('chainKey'), sql.placeholder('transactionId')]
  const [isProject, isStore] = [sql.placeholder('projectId'), sql.placeholder('store')]
  const isNamed = and(eq(a.projectId, isProject), eq(a.store, isStore), inArray(a.alias, names))
  const isKeyed = and(eq(p.projectId, isProject), eq(p.store, isStore), inArray(p.chainKey, names))
  // Not as two conditions with OR: PostgreSQL would then read all purchases.
  const found = sql`select ${a.purchaseId} from ${a} where ${isNamed} union all select ${p.id} from ${p} where ${isKeyed}`
  return db.select().from(p).where(sql`${p.id} in (${found})`)
}

/** Insert-or-ignore: the first purchase that was known by a name keeps it. */
export async function insertAliases(
  { db, tables }: Handle,
  { id: purchaseId, projectId, store }: Pick<PurchaseRow, 'id' | 'projectId' | 'store'>,
  names: readonly string[],
): Promise<void> {
  const rows = names.map((alias) => ({ projectId, store, alias, purchaseId }))
  await db.insert(tables.purchaseAliases).values(rows).onConflictDoNothing()
}

/** Forgets further names of a purchase. */
export async function deleteAliases(
  { db, tables: { purchaseAliases: a } }: Handle,
  purchaseId: string,
  names: readonly string[],
): Promise<void> {
  await db.delete(a).where(and(eq(a.purchaseId, purchaseId), inArray(a.alias, [...names])))
}

/** The further names of a purchase; ascending. */
export async function listAliases(
  { db, tables: { purchaseAliases: a } }: Handle,
  purchaseId: string,
): Promise<string[]> {
  const found = db.select({ alias: a.alias }).from(a).where(eq(a.purchaseId, purchaseId))
  return (await found.orderBy(a.alias)).map(({ alias }) => alias)
}

/** Purchases with a further name at a store that starts with the text. */
export async function listByAlias(
  { db, tables: { purchases: p, purchaseAliases: a } }: Handle,
  projectId: string,
  store: Store,
  text: string,
  limit: number,
): Promise<PurchaseRow[]> {
  const isFound = and(eq(a.projectId, projectId), eq(a.store, store), beginsWith(a.alias, text))
  const named = db.select({ purchase: p }).from(a).innerJoin(p, eq(p.id, a.purchaseId)).where(isFound)
  return (await named.orderBy(a.alias).limit(limit)).map(({ purchase }) => purchase)
}

/** The purchases of a store with one of these further names. */
export const listByAliases = (
  handle: Handle,
  projectId: string,
  store: Store,
  aliases: readonly string[],
): Promise<{ alias: string; row: PurchaseRow }[]> => byPrepared(handle, aliases, ALIASES, { projectId, store })

const ALIASES = {
  name: 'purchases.byAliases',
  build: ({ db, tables: { purchases: p, purchaseAliases: a } }: Handle, some: Placeholder[]) => {
    const isStore = and(eq(a.projectId, sql.placeholder('projectId')), eq(a.store, sql.placeholder('store')))
    return db
      .select({ alias: a.alias, row: p })
      .from(a)
      .innerJoin(p, eq(p.id, a.purchaseId))
      .where(and(isStore, inArray(a.alias, some)))
      .prepare()
  },
}
