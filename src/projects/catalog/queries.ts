import { and, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import { exactly } from '../../base/db/exact'
import type { Handle } from '../../base/db/handle'
/** All catalogue rows of a project. */
export async function loadCatalog({ db, tables }: Handle, projectId: string): Promise<StoredCatalog> {
  const { products, access, offerings, virtualCurrencies, currencyGrants } = tables
  const [productRows, accessRows, offeringRows, currencyRows, grantRows] = await Promise.all([
    db.select().from(products).where(eq(products.projectId, projectId)),
    db.select().from(access).where(eq(access.projectId, projectId)),
    db.select().from(offerings).where(eq(offerings.projectId, projectId)),
    db.select().from(virtualCurrencies).where(eq(virtualCurrencies.projectId, projectId)),
    db
      .select({ ...getTableColumns(currencyGrants), amount: exactly(currencyGrants.amount) })
      .from(currencyGrants)
      .where(eq(currencyGrants.projectId, projectId)),
  ])
  return {
    products: productRows,
    access: accessRows,
    offerings: offeringRows,
    currencies: currencyRows,
    grants: grantRows,
  }
}

/** The products that were last changed at this instant or before. */
export async function listProductIdsOfBefore({ db, tables }: Handle, projectId: string, at: number): Promise<string[]> {
  const { products: p } = tables
  const isOfBefore = and(eq(p.projectId, projectId), lte(p.updatedAt, at))
  const rows = await db.select({ id: p.id }).from(p).where(isOfBefore)
  return rows.map(({ id }) => id)
}

export async function listOfferingIdentifiers({ db, tables }: Handle, projectId: string): Promise<string[]> {
  const { offerings: o } = tables
  const rows = await db.select({ identifier: o.identifier }).from(o).where(eq(o.projectId, projectId))
  return rows.map(({ identifier }) => identifier)
}

type Rows<Name extends 'access' | 'products' | 'offerings' | 'virtualCurrencies' | 'currencyGrants'> =
  Handle['tables'][Name]['$inferSelect']

export async function listOfferingNames({ db, tables }: Handle, projectId: string): Promise<Map<string, string>> {
  const { offerings: o } = tables
  const rows = await db.select({ id: o.id, name: o.identifier }).from(o).where(eq(o.projectId, projectId))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type AccessRow = Rows<'access'>
export type ProductRow = Rows<'products'>
export type OfferingRow = Rows<'offerings'>
export type CurrencyRow = Rows<'virtualCurrencies'>
export type GrantRow = Rows<'currencyGrants'>

/** All catalogue rows of a project, as they are stored. */
export interface StoredCatalog {
  products: ProductRow[]
  access: AccessRow[]
  offerings: OfferingRow[]
  currencies: CurrencyRow[]
  grants: GrantRow[]
}

/** Frees the identifiers of rows that are about to change, so that rows can exchange identifiers in one transaction. */
export async function releaseAccess({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { access: a } = tables
  await db
    .update(a)
    .set({ identifier: sql`'~' || ${a.id}` })
    .where(inArray(a.id, [...ids]))
}

export async function insertAccess({ db, tables }: Handle, rows: AccessRow[]): Promise<void> {
  await db.insert(tables.access).values(rows)
}

export async function updateAccess({ db, tables }: Handle, id: string, change: Partial<AccessRow>): Promise<void> {
  await db.update(tables.access).set(change).where(eq(tables.access.id, id))
}

export async function deleteAccess({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.access).where(inArray(tables.access.id, [...ids]))
}

/** As `releaseAccess`; also frees the store ids. */
export async function releaseProducts({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { products: p } = tables
  const freed = { identifier: sql`'~' || ${p.id}`, iosId: null, paymentId: null }
  await db
    .update(p)
    .set(freed)
    .where(inArray(p.id, [...ids]))
}

export async function insertProducts({ db, tables }: Handle, rows: ProductRow[]): Promise<void> {
  await db.insert(tables.products).values(rows)
}

export async function updateProduct({ db, tables }: Handle, id: string, change: Partial<ProductRow>): Promise<void> {
  await db.update(tables.products).set(change).where(eq(tables.products.id, id))
}

export async function deleteProducts({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.products).where(inArray(tables.products.id, [...ids]))
}

export async function releaseOfferings({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { offerings: o } = tables
  await db
    .update(o)
    .set({ identifier: sql`'~' || ${o.id}` })
    .where(inArray(o.id, [...ids]))
}

export async function insertOfferings({ db, tables }: Handle, rows: OfferingRow[]): Promise<void> {
  await db.insert(tables.offerings).values(rows)
}

export async function updateOffering({ db, tables }: Handle, id: string, change: Partial<OfferingRow>): Promise<void> {
  await db.update(tables.offerings).set(change).where(eq(tables.offerings.id, id))
}

export async function deleteOfferings({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  await db.delete(tables.offerings).where(inArray(tables.offerings.id, [...ids]))
}

export async function releaseCurrencies({ db, tables }: Handle, ids: readonly string[]): Promise<void> {
  const { virtualCurrencies: v } = tables
  await db
    .update(v)
    .set({ code: sql`'~' || ${v.id}` })
    .where(inArray(v.id, [...ids]))
}

export async function insertCurrencies({ db, tables }: Handle, rows: CurrencyRow[]): Promise<void> {
  await db.insert(tables.virtualCurrencies).values(rows)
}

export async function updateCurrency({ db, tables }: Handle, id: string, change: Partial<CurrencyRow>): Promise<void> {
  await db.update(tables.virtualCurrencies).set(change).where(eq(tables.virtualCurrencies.id, id))
}

export async function insertGrants({ db, tables }: Handle, rows: GrantRow[]): Promise<void> {
  await db.insert(tables.currencyGrants).values(rows)
}

export async function deleteGrantsOf({ db, tables }: Handle, productIds: readonly string[]): Promise<void> {
  await db.delete(tables.currencyGrants).where(inArray(tables.currencyGrants.productId, [...productIds]))
}
