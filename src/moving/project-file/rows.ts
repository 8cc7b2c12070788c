import type { RowChanges } from '../../base/db/row-changes'
import type { Ids } from '../../base/lib/ids'
import type { CatalogChanges } from '../../projects/catalog/service'
import type { Access, CatalogRows, Currency, CurrencyGrant, Offering, Product } from '../../projects/catalog/snapshot'
import { isChanged } from './changes'
import type { AccessState, CurrencyState, OfferingState, ProductState } from './model'
import type { Pair } from './pair'
import type { CatalogPlan } from './plan-catalog'

/** The rows that a planned catalogue changes; new objects get their ids here. */
export function rowsOf(
  plan: CatalogPlan,
  saved: CatalogRows,
  ids: Ids,
  now: number,
): { changes: CatalogChanges; catalog: CatalogPlan } {
  const catalog: CatalogPlan = {
    access: named(plan.access, () => ids.next('acc')),
    virtualCurrencies: named(plan.virtualCurrencies, () => ids.next('vcy')),
    products: named(plan.products, () => ids.next('prd')),
    offerings: named(plan.offerings, () => ids.next('off')),
  }
  const { access, virtualCurrencies, products, offerings } = catalog
  const accessIds = idsByName(access)
  const productIds = idsByName(products)
  const archivedAt = new Map(saved.currencies.map((currency) => [currency.id, currency.archivedAt]))
  const changes = {
    access: changed(access, accessRow),
    currencies: changed(virtualCurrencies, (id, code, state) =>
      currencyRow(id, code, state, archivedAt.get(id) ?? now),
    ),
    products: changed(products, (id, identifier, state) => productRow(id, identifier, state, accessIds)),
    offerings: changed(offerings, (id, identifier, state) => offeringRow(id, identifier, state, productIds)),
    grants: grantRows(products, idsByName(virtualCurrencies)),
  }
  return { changes, catalog }
}

export type Identified<State> = Pair<State> & { id: string }

/** New objects get their ids. */
export const named = <State>(pairs: readonly Pair<State>[], next: () => string): Identified<State>[] =>
  pairs.map((pair) => ({ ...pair, id: pair.id ?? next() }))

export const idsByName = (pairs: readonly Pair<unknown>[]): Map<string, string> =>
  new Map(pairs.filter(({ after }) => after !== null).map(({ name, id }) => [name, id ?? '']))

export type MakeRow<State, Row> = (id: string, name: string, state: State) => Row

/** What becomes of a section's rows. */
export function changed<State, Row>(pairs: readonly Pair<State>[], make: MakeRow<State, Row>): RowChanges<Row> {
  const moving = pairs.filter(isChanged)
  const rows = (isNew: boolean) =>
    moving.flatMap(({ id, name, before, after }) =>
      id !== null && after !== null && (before === null) === isNew ? [make(id, name, after)] : [],
    )
  const deletedIds = moving.flatMap(({ id, after }) => (id !== null && after === null ? [id] : []))
  return { created: rows(true), updated: rows(false), deletedIds }
}

const accessRow: MakeRow<AccessState, Access> = (id, identifier, state) => ({ id, identifier, ...state })

const currencyRow = (
  id: string,
  code: string,
  { name, clawback, isArchived }: CurrencyState,
  archivedAt: number,
): Currency => ({
  id,
  code,
  name,
  clawback,
  archivedAt: isArchived ? archivedAt : null,
})

const productRow = (
  id: string,
  identifier: string,
  state: ProductState,
  accessIds: ReadonlyMap<string, string>,
): Product => ({
  id,
  identifier,
  type: state.type,
  displayName: state.displayName,
  iosId: state.storeIds.ios,
  androidId: state.storeIds.android,
  paymentId: state.storeIds.payment,
  androidBasePlanId: state.androidBasePlanId,
  androidOfferId: state.androidOfferId,
  period: state.period,
  accessIds: state.accessIds.map((name) => idOf(accessIds, name)),
  isActive: state.isActive,
  metadata: state.metadata,
})

const offeringRow = (
  id: string,
  identifier: string,
  state: OfferingState,
  productIds: ReadonlyMap<string, string>,
): Offering => ({
  id,
  identifier,
  isDefault: state.isDefault,
  packages: state.packages.map(({ product, ...slot }) => ({ ...slot, productId: idOf(productIds, product) })),
  metadata: state.metadata,
})

const grantRows = (
  products: readonly Pair<ProductState>[],
  currencyIds: ReadonlyMap<string, string>,
): CurrencyGrant[] =>
  products.filter(isChanged).flatMap(({ id, after }) =>
    (after?.grants ?? []).map(({ currency, amount, grantOn }) => ({
      productId: id ?? '',
      currencyId: idOf(currencyIds, currency),
      amount,
      grantOn,
    })),
  )

/** The id of an object that a checked plan names. */
export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`${name} has no id: the plan was not checked`)
  return id
}
