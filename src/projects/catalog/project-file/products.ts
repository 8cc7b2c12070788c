import { fromJsonInteger, toJsonInteger } from '../../../base/lib/int64'
import { contentByName } from '../../../core/project-file/content'
import { objects } from '../../project-file/form'
import type { Live, Wanted } from '../../project-file/model'
import {
  changed,
  gone,
  idOf,
  isChanged,
  live,
  lost,
  over,
  planObjects,
  present,
  savedAs,
  tooMany,
} from '../../project-file/pair'
import { type Path, type Problem, problem } from '../../project-file/problem'
import type { Checking, IdsByName, Loading, Names, Section, Writing } from '../../project-file/section'
import { lacksPeriod, MOST, PERIOD_MISSING, storeIdClashes } from '../rules'
import { type CatalogChanges, findSoldProducts, loadCatalogRows, writeCatalog } from '../service'
import type { CurrencyGrant, Product } from '../snapshot'
import { ACCESS } from './access'
import { byCurrency, type GrantState, PRICE, PRODUCT, PRODUCTS, type ProductState } from './product-form'
import { VIRTUAL_CURRENCIES } from './virtual-currencies'

interface ProductRows {
  products: readonly Product[]
  grants: readonly CurrencyGrant[]
  /** Ids of the products that were bought, among those that are not in the file. */
  soldIds: ReadonlySet<string>
}

type ProductChanges = Pick<CatalogChanges, 'products' | 'grants'>

/** The products of a project and their grants. A product that was bought is set inactive instead of deleted. */
export const productSection: Section<ProductState, ProductRows, ProductState, ProductChanges> = {
  key: PRODUCTS,
  idPrefix: 'prd',
  takenCode: 'IDENTIFIER_TAKEN',
  isInt64: ([section, , member, , name]) => section === PRODUCTS.name && member === 'grants' && name === 'amount',
  parse: objects(PRODUCT.from),
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
    { of: VIRTUAL_CURRENCIES, names: grants.map((grant) => grant.currency) },
  ],
  check: checkProducts,
  named: (identifier) => ({ identifier }),
  rows: productRows,
  write: writeCatalog,
  content: (saved) => contentByName(saved, PRODUCT.write),
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
    present(names.of(VIRTUAL_CURRENCIES), currencyId, (code) => ({
      ...{ currency: code, amount: toJsonInteger(amount), grantOn },
    })),
  )
  return PRODUCT.pick({
    ...row,
    price: row.price && PRICE.pick(row.price),
    storeIds: { ios: row.iosId, android: row.androidId, payment: row.paymentId },
    accessIds: row.accessIds.flatMap((id) => present(names.of(ACCESS), id, (name) => name)),
    grants: grants.sort(byCurrency),
  })
}

/** The rows of the products that a plan changes, with all grants of each product. */
function productRows({ pairs, ids }: Writing<unknown, ProductState>): ProductChanges {
  const changedPairs = pairs.filter((pair) => isChanged(pair))
  return {
    products: changed(pairs, (id, identifier, { storeIds, grants: _grants, ...state }) => ({
      ...{ id, identifier, ...state },
      ...{ iosId: storeIds.ios, androidId: storeIds.android, paymentId: storeIds.payment },
      accessIds: state.accessIds.map((name) => idOf(ids.of(ACCESS), name)),
    })),
    grants: changedPairs.flatMap(({ id, after }) => (after?.grants ?? []).map((grant) => grantRow(id, grant, ids))),
  }
}

const grantRow = (productId: string, grant: GrantState, ids: IdsByName): CurrencyGrant => ({
  productId,
  currencyId: idOf(ids.of(VIRTUAL_CURRENCIES), grant.currency),
  amount: fromJsonInteger(grant.amount),
  grantOn: grant.grantOn,
})

/** Refuses pruning a product that is in use, a store id that another product has, and too many products or grants. */
function checkProducts({ pairs, users, isWhole }: Checking<ProductState, unknown, ProductState>): Problem[] {
  return [
    ...lost(PRODUCTS, gone(pairs), users),
    ...takenStoreIds(live(pairs)),
    ...live(pairs).flatMap((product) =>
      product.path && isWhole(product.path) ? missingPeriod(product, product.path) : [],
    ),
    ...tooMany(PRODUCTS, pairs, MOST.products),
    ...live(pairs).flatMap(({ path, after }) =>
      path === null ? [] : over([...path, 'grants'], 'grants', after.grants.length, MOST.grants),
    ),
  ]
}

/** What is saved without a period already may stay so. */
const missingPeriod = ({ before, after }: Live<ProductState>, path: Path): Problem[] =>
  !lacksPeriod(soldAs(after)) || (before && lacksPeriod(soldAs(before)))
    ? []
    : [problem([...path, 'period'], PERIOD_MISSING)]

const soldAs = ({ type, period, storeIds }: ProductState) => ({ type, period, iosId: storeIds.ios })

/** A product outside of the file keeps its ids. */
function takenStoreIds(products: readonly Live<ProductState>[]): Problem[] {
  const ordered = products.toSorted((a, b) => Number(a.path !== null) - Number(b.path !== null))
  return storeIdClashes(ordered, ({ after }) => after).flatMap(({ product, store, storeId, holder }) =>
    product.path === null ? [] : takenStoreId(product.path, store, storeId, holder),
  )
}

function takenStoreId(path: Path, store: string, storeId: string, holder: Live<ProductState>): Problem {
  const product = { id: holder.id, identifier: holder.name }
  return problem(
    [...path, 'storeIds', store],
    `${storeId} is the ${store} id of ${holder.name} already`,
    'STORE_ID_TAKEN',
    { store, storeId, product },
  )
}
