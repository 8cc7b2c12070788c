import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { inChunks, type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import type { Hooks } from '../../base/state'
import * as queries from './queries'
import {
  type Access,
  type CatalogSnapshot,
  type Currency,
  type CurrencyGrant,
  compileCatalog,
  type Offering,
  type Product,
} from './snapshot'

/** Loads the catalogue of a project and compiles it for look-ups. */
export async function loadCatalogSnapshot(handle: Handle, projectId: string): Promise<CatalogSnapshot> {
  return compileCatalog(await queries.loadCatalog(handle, projectId))
}

/** All catalogue rows of a project, for code that edits them. */
export const loadCatalogRows = queries.loadCatalog

/** The products of a project that were last changed at an instant or before. */
export const listProductIdsOfBefore = queries.listProductIdsOfBefore

/** The identifiers of the offerings of a project. */
export const listOfferingIdentifiers = queries.listOfferingIdentifiers

/** Identifier by id. */
export const listOfferingNames = queries.listOfferingNames

/** The rows that a change of a project's catalogue writes, by section. */
export interface CatalogChanges {
  access: RowChanges<Access>
  currencies: RowChanges<Currency>
  products: RowChanges<Product>
  offerings: RowChanges<Offering>
  /** All grants of all products that are created or updated. */
  grants: readonly CurrencyGrant[]
}

/**
 * Writes a change of the catalogue. The caller has checked it, and calls `touchConfig`. Objects may exchange unique
 * values: all values that change are freed before any of them is set.
 */
export async function writeCatalog(tx: Tx, projectId: string, changes: Partial<CatalogChanges>): Promise<void> {
  const { access = NONE, currencies = NONE, products = NONE, offerings = NONE, grants = [] } = changes
  await inChunks(idsOf(products.updated, products.deletedIds), (ids) => queries.deleteGrantsOf(tx, ids))
  await writeRows(tx, projectId, accessWriter, access)
  await writeRows(tx, projectId, currencyWriter, currencies)
  await writeRows(tx, projectId, productWriter, products)
  await writeRows(tx, projectId, offeringWriter, offerings)
  await inChunks(grants, (rows) =>
    queries.insertGrants(
      tx,
      rows.map((row) => ({ ...row, projectId })),
    ),
  )
}

const NONE = { created: [], updated: [], deletedIds: [] }

const idsOf = (rows: readonly { id: string }[], more: readonly string[]): string[] => [
  ...rows.map(({ id }) => id),
  ...more,
]

const accessWriter: Writer<Access> = {
  release: queries.releaseAccess,
  remove: queries.deleteAccess,
  insert: queries.insertAccess,
  update: queries.updateAccess,
}

const currencyWriter: Writer<Currency> = {
  release: queries.releaseCurrencies,
  remove: () => Promise.reject(new Error('currencies are archived, never deleted')),
  insert: queries.insertCurrencies,
  update: queries.updateCurrency,
}

const productWriter: Writer<Product> = {
  release: queries.releaseProducts,
  remove: queries.deleteProducts,
  insert: (handle, rows) => queries.insertProducts(handle, rows.map(withOwnIds)),
  update: (handle, id, row) => queries.updateProduct(handle, id, withOwnIds(row)),
}

const offeringWriter: Writer<Offering> = {
  release: queries.releaseOfferings,
  remove: queries.deleteOfferings,
  insert: (handle, rows) => queries.insertOfferings(handle, rows.map(withOwnPackages)),
  update: (handle, id, row) => queries.updateOffering(handle, id, withOwnPackages(row)),
}

// The tables require mutable arrays; those of the snapshot are read-only.
const withOwnIds = <Row extends Product>(row: Row) => ({ ...row, accessIds: [...row.accessIds] })
const withOwnPackages = <Row extends Offering>(row: Row) => ({ ...row, packages: [...row.packages] })

declare module '../../base/state' {
  interface SliceHooks {
    /** The ids among `productIds` of products that were bought. */
    soldProducts: (handle: Handle, projectId: string, productIds: readonly string[]) => Promise<string[]>
  }
}

/** The ids among `productIds` of products that were bought. These are set inactive instead of deleted. */
export async function findSoldProducts(
  handle: Handle & { hooks: Hooks },
  projectId: string,
  productIds: readonly string[],
): Promise<Set<string>> {
  if (productIds.length === 0) return new Set()
  const sold = new Set<string>()
  for (const find of handle.hooks.soldProducts ?? [])
    for (const id of await find(handle, projectId, productIds)) sold.add(id)
  return sold
}
