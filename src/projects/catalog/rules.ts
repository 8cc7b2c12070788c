import type { Money } from '../../base/lib/money'
import { isPeriod } from '../../base/lib/period'
import type { Fault } from '../../core/text/fault'
import { jsonFault } from '../../core/text/json-fault'
import type { ProductType } from '../../stores/observation'
import { isCurrency } from '../project/settings'
import { checkIdentifier, MAX_METADATA_CHARS } from '../project-file/fields'

/** The most objects of each kind in a project, and in one product or offering (wire section 6). */
export const MOST = { access: 200, products: 2000, grants: 20, offerings: 200, packages: 50, virtualCurrencies: 100 }

const STORES = ['ios', 'android', 'payment'] as const

export type CatalogStore = (typeof STORES)[number]

export type StoreIds = Record<CatalogStore, string | null>

interface Sold {
  storeIds: StoreIds
  androidBasePlanId: string | null
}

export interface StoreIdClash<Product> {
  product: Product
  store: CatalogStore
  storeId: string
  /** The product before it in the list that has the id. */
  holder: Product
}

/** A store id belongs to one product; an Android id belongs to one product for each base plan. */
export function storeIdClashes<Product>(
  products: readonly Product[],
  soldAs: (product: Product) => Sold,
): StoreIdClash<Product>[] {
  const holders = new Map<string, Product>()
  const clashes: StoreIdClash<Product>[] = []
  for (const product of products) {
    const { storeIds, androidBasePlanId } = soldAs(product)
    for (const store of STORES) {
      const storeId = storeIds[store]
      if (storeId === null) continue
      const key = JSON.stringify([store, storeId, store === 'android' ? androidBasePlanId : null])
      const holder = holders.get(key)
      if (holder === undefined) holders.set(key, product)
      else clashes.push({ product, store, storeId, holder })
    }
  }
  return clashes
}

interface Candidate {
  name: string
  /** It is requested now. */
  isMarked: boolean
  wasDefault: boolean
}

/**
 * The one default offering: the marked one; otherwise the current one; otherwise the one with the identifier `default`;
 * otherwise the first by identifier. Undefined without offerings.
 */
export const chooseDefault = <Offering extends Candidate>(offerings: readonly Offering[]): Offering | undefined =>
  offerings.find(({ isMarked }) => isMarked) ??
  offerings.find(({ wasDefault }) => wasDefault) ??
  offerings.find(({ name }) => name === 'default') ??
  offerings.toSorted((a, b) => (a.name < b.name ? -1 : 1))[0]

interface NewPackage {
  identifier: string
  order: number | null
}

/** The packages of an offering by `order`. A package without `order` gets its position in the list. */
export const placePackages = <Package extends NewPackage>(
  packages: readonly Package[],
): (Omit<Package, 'order'> & { order: number })[] =>
  packages.map((slot, index) => ({ ...slot, order: slot.order ?? index })).sort((a, b) => a.order - b.order)

/** The names that occur more than once. */
export const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) < index)),
]

export const isBlank = (text: string): boolean => text.trim() === ''

/** What is wrong with the members of an object of the catalogue that is about to be written. */
export function checkMembers(members: {
  identifier?: string
  displayName?: string
  period?: string | null
  price?: Money | null
  metadata?: Record<string, unknown>
}): Fault[] {
  const { identifier, displayName, period = null, price = null, metadata } = members
  const found: [path: string, message: string | null][] = [
    ['identifier', identifier === undefined ? null : identifierFault(identifier)],
    ['displayName', displayName !== undefined && isBlank(displayName) ? 'must not be blank' : null],
    ['period', period === null || isPeriod(period) ? null : 'must be an ISO 8601 period such as P1M'],
    ['price.currency', price === null || isCurrency(price.currency) ? null : CURRENCY_FAULT],
    ['metadata', metadata === undefined ? null : metadataFault(metadata)],
  ]
  return found.flatMap(([path, message]) => (message === null ? [] : [{ path, message: `${path} ${message}` }]))
}

/** A thousand million of the currency's main unit. */
export const MAX_PRICE_MICROS = 1e15

const CURRENCY_FAULT = 'must be a currency such as EUR or USD'

/**
 * Whether a product is a subscription of the App Store without a period. Of one that never renews only the catalogue
 * knows when it ends.
 */
export const lacksPeriod = ({
  type,
  period,
  iosId,
}: {
  type: ProductType
  period: string | null
  iosId: string | null
}): boolean => type === 'SUBSCRIPTION' && period === null && iosId !== null

export const PERIOD_MISSING = 'A subscription that the App Store sells needs a period such as P1M'

/** Why a text cannot be an identifier, as the end of a sentence, or null. */
export const identifierFault = (text: string): string | null =>
  checkIdentifier(text) === null ? null : 'must be 1 to 64 letters, digits, $, _, . and -'

/** Why an object cannot be metadata, as the end of a sentence, or null. */
export function metadataFault(metadata: Record<string, unknown>): string | null {
  const text = JSON.stringify(metadata)
  if (text.length > MAX_METADATA_CHARS) return `must have at most ${MAX_METADATA_CHARS} characters as JSON`
  // An exported project file would lose the member.
  if (/"__proto__":/.test(text)) return 'must not have a member __proto__'
  return jsonFault(metadata)
}
