import { findStoreProduct } from '../../people/purchases/store-product'
import { labelOf, untakenIdentifier } from '../../projects/catalog/admin/import'
import { identifierFault, type StoreIds } from '../../projects/catalog/rules'
import { type CatalogRows, compileCatalog } from '../../projects/catalog/snapshot'
import { splitAndroidId } from '../../stores/android/purchase-id'
import type { ProductType, Store } from '../../stores/observation'

/** The known facts about a product that the catalogue does not have: from purchases, or from a file of them. */
export interface ProductFacts {
  store: Store
  /** Its id at the store. */
  identifier: string
  /** Purchases, or rows of the file, that name it. */
  rows: number
  type: ProductType
  /** ISO 8601. As it is named, else the one that the dates are nearest to; null for what has none. */
  period: string | null
  /** Its name, besides its identifier. */
  name: string | null
  /** Names of the accesses that it gives. */
  entitlements: string[]
}

export interface NewAccess {
  identifier: string
  displayName: string
}

/** A product that the catalogue lacks, as it is described. */
export interface NewProduct {
  identifier: string
  type: ProductType
  displayName: string
  period: string | null
  storeIds: StoreIds
  androidBasePlanId: string | null
  /** Identifiers. */
  access: string[]
  /** Purchases, or rows of the file, that name it. */
  rows: number
}

/**
 * `EXISTS`: the catalogue has it by now. `NOT_NAMEABLE`: its name can be neither an identifier nor the id of a store.
 * `PRICE_NOT_FOUND`: the payment provider has no such price. `NO_PERIOD`: nothing tells the period of a subscription of
 * the App Store.
 */
export interface SkippedProduct {
  store: Store
  identifier: string
  reason: 'EXISTS' | 'NOT_NAMEABLE' | 'PRICE_NOT_FOUND' | 'NO_PERIOD'
}

export interface ProductPlan {
  access: NewAccess[]
  products: NewProduct[]
  skipped: SkippedProduct[]
}

/** What is to be added to a catalogue so that it has the products, with the accesses that they give. */
export function planProducts(facts: readonly ProductFacts[], rows: CatalogRows): ProductPlan {
  const catalog = compileCatalog(rows)
  const plan = new Planned(rows)
  // A grant is found by the identifier alone, so it joins what the stores' products have become.
  const ordered = facts.toSorted((a, b) => Number(a.store === 'MANUAL') - Number(b.store === 'MANUAL') || order(a, b))
  for (const one of ordered) {
    const isThere =
      one.store === 'MANUAL'
        ? catalog.productByIdentifier.has(one.identifier)
        : findStoreProduct(catalog, one.identifier, one.store) !== null
    if (isThere) plan.skip(one, 'EXISTS')
    else plan.add(one)
  }
  return plan.result()
}

const order = (a: ProductFacts, b: ProductFacts): number =>
  `${a.identifier} ${a.store}` < `${b.identifier} ${b.store}` ? -1 : 1

class Planned {
  readonly #products = new Map<string, NewProduct>()
  readonly #skipped: SkippedProduct[] = []
  readonly #access = new Map<string, NewAccess>()
  /** Identifier by the name of the access. */
  readonly #accessOf: Map<string, string>
  readonly #takenProducts: Set<string>
  readonly #takenAccess: Set<string>

  constructor({ products, access }: CatalogRows) {
    this.#takenProducts = new Set(products.map(({ identifier }) => identifier))
    this.#takenAccess = new Set(access.map(({ identifier }) => identifier))
    this.#accessOf = new Map(access.map(({ identifier }) => [identifier, identifier]))
  }

  result(): ProductPlan {
    return { access: [...this.#access.values()], products: [...this.#products.values()], skipped: this.#skipped }
  }

  skip({ store, identifier }: ProductFacts, reason: SkippedProduct['reason']): void {
    this.#skipped.push({ store, identifier, reason })
  }

  add(facts: ProductFacts): void {
    const wanted = soldAs(facts)
    const other = wanted && this.#products.get(untakenIdentifier(NONE, wanted.name))
    if (!wanted) this.skip(facts, 'NOT_NAMEABLE')
    else if (other && canJoin(other, facts, wanted)) this.#join(other, facts, wanted)
    else this.#create(facts, wanted)
  }

  #create(facts: ProductFacts, { name, isFoundByName, storeIds, androidBasePlanId }: Wanted): void {
    const identifier = untakenIdentifier(this.#takenProducts, name)
    if (isFoundByName && identifier !== name) {
      this.skip(facts, 'NOT_NAMEABLE')
      return
    }
    this.#takenProducts.add(identifier)
    const { type, period, rows } = facts
    const displayName = labelOf(facts.name ?? '', facts.identifier)
    this.#products.set(identifier, {
      ...{ identifier, type, displayName, period, storeIds, androidBasePlanId },
      ...{ access: this.#accessOfAll(facts), rows },
    })
  }

  #join(other: NewProduct, facts: ProductFacts, { storeIds, androidBasePlanId }: Sold): void {
    other.storeIds = {
      ios: other.storeIds.ios ?? storeIds.ios,
      android: other.storeIds.android ?? storeIds.android,
      payment: other.storeIds.payment ?? storeIds.payment,
    }
    other.androidBasePlanId ??= androidBasePlanId
    other.period ??= facts.period
    other.access = [...new Set([...other.access, ...this.#accessOfAll(facts)])]
    other.rows += facts.rows
  }

  #accessOfAll({ entitlements }: ProductFacts): string[] {
    return [...new Set(entitlements.filter((name) => name.trim() !== '').map((name) => this.#accessFor(name)))]
  }

  #accessFor(name: string): string {
    const known = this.#accessOf.get(name)
    if (known !== undefined) return known
    const identifier = untakenIdentifier(this.#takenAccess, name)
    this.#takenAccess.add(identifier)
    this.#accessOf.set(name, identifier)
    this.#access.set(identifier, { identifier, displayName: labelOf(name, identifier) })
    return identifier
  }
}

type Sold = Pick<NewProduct, 'storeIds' | 'androidBasePlanId'>

interface Wanted extends Sold {
  name: string
  /** The identifier must be the name, because nothing else leads to the product. */
  isFoundByName: boolean
}

const NONE: ReadonlySet<string> = new Set()
const NO_STORE: StoreIds = { ios: null, android: null, payment: null }

/** How the name of a product is written in a catalogue; null when it cannot be. */
function soldAs({ store, identifier }: ProductFacts): Wanted | null {
  if (store === 'ANDROID_STORE') return soldAtAndroid(identifier)
  const isFoundByName = store === 'MANUAL' || (store === 'PAYMENT' && identifier.startsWith('prod_'))
  if (isFoundByName && identifierFault(identifier) !== null) return null
  const ids = { IOS_STORE: { ios: identifier }, PAYMENT: isFoundByName ? {} : { payment: identifier }, MANUAL: {} }
  return { name: identifier, isFoundByName, storeIds: { ...NO_STORE, ...ids[store] }, androidBasePlanId: null }
}

function soldAtAndroid(identifier: string): Wanted | null {
  const { productId, basePlanId } = splitAndroidId(identifier)
  if (productId.trim() === '') return null
  const androidBasePlanId = basePlanId === null || basePlanId.trim() === '' ? null : basePlanId
  const name = androidBasePlanId === null ? productId : `${productId}.${androidBasePlanId}`
  return { name, isFoundByName: false, storeIds: { ...NO_STORE, android: productId }, androidBasePlanId }
}

/** One name at several stores is one product, unless they sell different things. A product has one id at each store. */
function canJoin(other: NewProduct, { store, type, period }: ProductFacts, { storeIds }: Sold): boolean {
  if (store === 'MANUAL') return true
  const isFree = (['ios', 'android', 'payment'] as const).every(
    (name) => other.storeIds[name] === null || storeIds[name] === null,
  )
  return isFree && other.type === type && (other.period === null || period === null || other.period === period)
}
