import type { Wanted } from '../../../project-file/model'
import { planObjects } from '../../../project-file/pair'
import type { Loading, Names, Section } from '../../../project-file/section'
import { present, savedAs } from '../../../project-file/stored'
import { findSoldProducts, loadCatalogRows } from '../../service'
import type { CurrencyGrant, Product } from '../../snapshot'
import { ACCESS } from '../access/model'
import { VIRTUAL_CURRENCIES } from '../virtual-currencies/model'
import { writeCatalogPart } from '../write'
import { checkProducts } from './check'
import { productsContent } from './content'
import { byCurrency, PRODUCTS, type ProductState, toGrant } from './model'
import { parseProducts } from './parse'
import { type ProductChanges, productRows } from './rows'

interface ProductRows {
  products: readonly Product[]
  grants: readonly CurrencyGrant[]
  /** Ids of the products that somebody bought, among those that are not in the file. */
  soldIds: ReadonlySet<string>
}

/** The products of a project and their grants. A product that somebody bought is set inactive instead of deleted. */
export const productSection: Section<ProductState, ProductRows, ProductState, ProductChanges> = {
  key: PRODUCTS,
  idPrefix: 'prd',
  takenCode: 'IDENTIFIER_TAKEN',
  isInt64: ([section, , member, , name]) => section === PRODUCTS.name && member === 'grants' && name === 'amount',
  parse: parseProducts,
  load,
  names: ({ products }) => new Map(products.map(({ id, identifier }) => [id, identifier])),
  current: ({ products, grants }, names) => {
    const byProduct = Map.groupBy(grants, ({ productId }) => productId)
    return products.map((row) =>
      savedAs(names.of(PRODUCTS), row.id, row.identifier, stateOf(row, byProduct.get(row.id) ?? [], names)),
    )
  },
  plan: (given) =>
    planObjects(given, ({ id, state }) => (given.rows.soldIds.has(id) ? { ...state, isActive: false } : null)),
  uses: ({ accessIds, grants }) => [
    { of: ACCESS, names: accessIds },
    { of: VIRTUAL_CURRENCIES, names: grants.map(({ currency }) => currency) },
  ],
  check: checkProducts,
  named: (identifier) => ({ identifier }),
  rows: productRows,
  write: writeCatalogPart,
  content: productsContent,
}

async function load({ handle, project, prune, once }: Loading, wanted: readonly Wanted<ProductState>[] | null) {
  const { products, grants } = await once(loadCatalogRows)
  const inFile = new Set(wanted?.flatMap(({ name, was }) => [name, was]))
  const absent = prune && wanted ? products.filter(({ identifier }) => !inFile.has(identifier)) : []
  const absentIds = absent.map(({ id }) => id)
  return { products, grants, soldIds: await findSoldProducts(handle, project.id, absentIds) }
}

/** References to rows that no longer exist are left out. */
function stateOf(row: Product, rows: readonly CurrencyGrant[], names: Names): ProductState {
  const grants = rows.flatMap(({ currencyId, amount, grantOn }) =>
    present(names.of(VIRTUAL_CURRENCIES), currencyId, (currency) => toGrant(currency, amount, grantOn)),
  )
  return {
    type: row.type,
    displayName: row.displayName,
    period: row.period,
    storeIds: { ios: row.iosId, android: row.androidId, payment: row.paymentId },
    androidBasePlanId: row.androidBasePlanId,
    androidOfferId: row.androidOfferId,
    accessIds: row.accessIds.flatMap((id) => present(names.of(ACCESS), id, (name) => name)),
    isActive: row.isActive,
    metadata: row.metadata,
    grants: grants.sort(byCurrency),
  }
}
