import { canonicalJson } from '../../base/lib/hash'
import type { CatalogRows, CurrencyGrant, Product } from '../../projects/catalog/snapshot'
import type { SavedSettings, StoreSection } from '../../projects/connections/credentials'
import type { ProjectRow } from '../../projects/project/queries'
import { DEFAULT_SETTINGS, type ProjectSettings } from '../../projects/project/settings'
import type { TargetingRows } from './current-targeting'
import type { AccessState, CurrencyState, OfferingState, ProductState, ProjectFields } from './model'
import { byCurrency } from './parse-catalog'

/** Everything of a project that a file speaks about, as it is saved. */
export interface Current {
  project: ProjectRow
  catalog: CatalogRows
  targeting: TargetingRows
  stores: ReadonlyMap<StoreSection, SavedSettings>
}

/** A saved object: `name` is what it will be called (renames applied), `formerName` what it is called now. */
export interface Saved<State> {
  id: string
  name: string
  formerName: string
  state: State
}

/** Id -> identifier, of every object that others refer to. */
export interface Names {
  access: ReadonlyMap<string, string>
  products: ReadonlyMap<string, string>
  currencies: ReadonlyMap<string, string>
  offerings: ReadonlyMap<string, string>
}

/** The identifiers as they are saved. */
export const namesOf = (rows: CatalogRows): Names => ({
  access: new Map(rows.access.map(({ id, identifier }) => [id, identifier])),
  products: new Map(rows.products.map(({ id, identifier }) => [id, identifier])),
  currencies: new Map(rows.currencies.map(({ id, code }) => [id, code])),
  offerings: new Map(rows.offerings.map(({ id, identifier }) => [id, identifier])),
})

export interface SavedCatalog {
  access: Saved<AccessState>[]
  virtualCurrencies: Saved<CurrencyState>[]
  products: Saved<ProductState>[]
  offerings: Saved<OfferingState>[]
}

/** The catalogue in the words of the file, under the given names; references to rows that are gone are left out. */
export function readCatalog(rows: CatalogRows, names: Names): SavedCatalog {
  const grants = Map.groupBy(rows.grants, ({ productId }) => productId)
  return {
    access: rows.access.map(({ id, identifier, displayName, description, metadata }) =>
      saved(id, identifier, names.access, { displayName, description, metadata }),
    ),
    virtualCurrencies: rows.currencies.map(({ id, code, name, clawback, archivedAt }) =>
      saved(id, code, names.currencies, { name, clawback, isArchived: archivedAt !== null }),
    ),
    products: rows.products.map((row) =>
      saved(row.id, row.identifier, names.products, productState(row, grants.get(row.id) ?? [], names)),
    ),
    offerings: rows.offerings.map((row) =>
      saved(row.id, row.identifier, names.offerings, {
        isDefault: row.isDefault,
        packages: row.packages
          .toSorted((a, b) => a.order - b.order)
          .flatMap(({ productId, ...slot }) => present(names.products, productId, (product) => ({ ...slot, product }))),
        metadata: row.metadata,
      }),
    ),
  }
}

const saved = <State>(
  id: string,
  formerName: string,
  names: ReadonlyMap<string, string>,
  state: State,
): Saved<State> => ({
  id,
  name: names.get(id) ?? formerName,
  formerName,
  state,
})

function productState(row: Product, rows: readonly CurrencyGrant[], names: Names): ProductState {
  const grants = rows.flatMap(({ currencyId, amount, grantOn }) =>
    present(names.currencies, currencyId, (currency) => ({ currency, amount, grantOn })),
  )
  return {
    type: row.type,
    displayName: row.displayName,
    period: row.period,
    storeIds: { ios: row.iosId, android: row.androidId, payment: row.paymentId },
    androidBasePlanId: row.androidBasePlanId,
    androidOfferId: row.androidOfferId,
    accessIds: row.accessIds.flatMap((id) => present(names.access, id, (name) => name)),
    isActive: row.isActive,
    metadata: row.metadata,
    grants: grants.sort(byCurrency),
  }
}

function present<Value>(names: ReadonlyMap<string, string>, id: string, make: (name: string) => Value): Value[] {
  const name = names.get(id)
  return name === undefined ? [] : [make(name)]
}

export const projectFields = (row: ProjectRow): ProjectFields => ({
  slug: row.slug,
  name: row.name,
  timezone: row.timezone,
  allowedOrigins: row.allowedOrigins,
  termsUrl: row.termsUrl,
  privacyUrl: row.privacyUrl,
  settings: { ...DEFAULT_SETTINGS, ...knownOnly(row.settings) },
})

const knownOnly = (settings: Partial<ProjectSettings>): Partial<ProjectSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name in DEFAULT_SETTINGS))

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof ProjectSettings)[]

/** Only what differs is saved, so that a default can change for everybody who never chose. */
export const withoutDefaults = (settings: ProjectSettings): Partial<ProjectSettings> => {
  const isChosen = (name: keyof ProjectSettings) =>
    canonicalJson(settings[name]) !== canonicalJson(DEFAULT_SETTINGS[name])
  return Object.fromEntries(SETTING_NAMES.filter(isChosen).map((name) => [name, settings[name]]))
}
