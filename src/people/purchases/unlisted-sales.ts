import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import type { PurchaseRow } from './queries'
import { effectiveEnd, statusAt } from './status'

// Sales of the payment provider without any product of the catalogue (purchases 6.6).

export type UnlistedSaleRow = Handle['tables']['unlistedSales']['$inferSelect']

/** In place of the id of a subscriber: the money lines of an unlisted sale have none. */
export const NOBODY = ''

/** Whether unlisted sales are in the figures of a project. */
export const countsUnlisted = ({ settings }: Pick<ProjectState, 'settings'>): boolean =>
  settings.unlistedSales === 'count'

/** The sale as a purchase without owner and product. */
export const toUnownedPurchase = (sale: UnlistedSaleRow): PurchaseRow => ({
  ...columnsOf(sale),
  subscriberId: NOBODY,
  productId: null,
  originalTransactionId: sale.chainKey,
  accessIds: null,
  accountToken: null,
  status: statusAt(sale.fold, sale.updatedAt).status,
  effectiveEnd: effectiveEnd(sale.fold),
  sweepAt: null,
  recheckAt: null,
})

/** The columns that a sale and a purchase have in common. */
export function columnsOf(row: PurchaseRow | UnlistedSaleRow) {
  const { id, projectId, store, environment, chainKey, lineKey, formerLineKeys, chargeScope } = row
  const { fold, presentedContext, createdAt, updatedAt } = row
  const names = { id, projectId, store, environment, chainKey, lineKey, formerLineKeys, chargeScope }
  return { ...names, storeProductId: fold.storeProductId, fold, presentedContext, createdAt, updatedAt }
}

/** All lines of a chain, the oldest first. */
export async function listSalesOfChain(
  handle: Handle,
  projectId: string,
  store: Store,
  chainKey: string,
): Promise<UnlistedSaleRow[]> {
  const query = prepared(handle, 'unlistedSales.ofChain', ({ db, tables: { unlistedSales: u } }) => {
    const isStore = and(eq(u.projectId, sql.placeholder('projectId')), eq(u.store, sql.placeholder('store')))
    return db
      .select()
      .from(u)
      .where(and(isStore, eq(u.chainKey, sql.placeholder('chainKey'))))
      .orderBy(u.id)
      .prepare()
  })
  return query.execute({ projectId, store, chainKey })
}

export async function findSale(
  { db, tables: { unlistedSales: u } }: Handle,
  projectId: string,
  id: string,
): Promise<UnlistedSaleRow | null> {
  const [row] = await db
    .select()
    .from(u)
    .where(and(eq(u.id, id), eq(u.projectId, projectId)))
  return row ?? null
}

/** Those of the sales with these ids. */
export async function listSalesById(
  { db, tables: { unlistedSales: u } }: Handle,
  ids: readonly string[],
): Promise<UnlistedSaleRow[]> {
  return db
    .select()
    .from(u)
    .where(inArray(u.id, [...ids]))
}

/** Sales of a project, by id; after the one with the given id. */
export async function listSalesAfter(
  { db, tables: { unlistedSales: u } }: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<UnlistedSaleRow[]> {
  const isNext = and(eq(u.projectId, projectId), gt(u.id, after))
  return db.select().from(u).where(isNext).orderBy(asc(u.id)).limit(limit)
}

/** Who a sale can be of, as the provider and the checkout name them. */
export interface NamedBuyers {
  subscriberIds: readonly string[]
  deviceKeys: readonly string[]
  customerIds: readonly string[]
}

/** The sales that name one of these. */
export async function listSalesOf(
  { db, tables: { unlistedSales: u } }: Handle,
  projectId: string,
  { subscriberIds, deviceKeys, customerIds }: NamedBuyers,
): Promise<UnlistedSaleRow[]> {
  const named = [
    [u.buyerId, subscriberIds],
    [u.deviceKey, deviceKeys],
    [u.customerId, customerIds],
  ] as const
  const found = new Map<string, UnlistedSaleRow>()
  for (const [column, values] of named) {
    if (values.length === 0) continue
    const isNamed = and(eq(u.projectId, projectId), inArray(column, [...values]))
    for (const row of await db.select().from(u).where(isNamed)) found.set(row.id, row)
  }
  return [...found.values()]
}

export async function saveSale({ db, tables: { unlistedSales: u } }: Handle, row: UnlistedSaleRow): Promise<void> {
  const { id, ...columns } = row
  await db.insert(u).values(row).onConflictDoUpdate({ target: u.id, set: columns })
}

/** Removes a sale, whose money lines become those of a subscriber. */
export async function giveSale({ db, tables }: Handle, id: string, subscriberId: string): Promise<void> {
  const { unlistedSales: u, transactions: t } = tables
  await db.delete(u).where(eq(u.id, id))
  await db.update(t).set({ subscriberId }).where(eq(t.purchaseId, id))
}

/** Removes everything that names the buyer of sales. Returns how many there are. */
export async function eraseSales(tx: Tx, ids: readonly string[]): Promise<number> {
  const { unlistedSales: u } = tx.tables
  const nobody = { customerId: null, buyerId: null, deviceKey: null, presentedContext: null }
  const erased = await tx.db
    .update(u)
    .set({ ...nobody, erasedAt: tx.clock.now() })
    .where(and(inArray(u.id, [...ids]), isNull(u.erasedAt)))
    .returning({ id: u.id })
  return erased.length
}
