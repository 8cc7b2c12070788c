import { CompactMap } from '../../../base/lib/compact-map'
import { periodBetween } from '../../../intake/missing-products/period-between'
import type { ProductFacts } from '../../../intake/missing-products/plan'
import type { ProjectState } from '../../../projects/project/state'
import type { ProductType, Store } from '../../../stores/observation'
import { isKnownProduct } from '../known-products'
import type { FileProductType, ImportRow } from '../row'

const MAX_PRODUCTS = 1000
/** The most different names, periods and accesses of one product that are kept. */
const MAX_VALUES = 50

interface Seen {
  store: Store
  identifier: string
  rows: number
  names: Map<string, number>
  toldTypes: Map<FileProductType, number>
  toldPeriods: Map<string, number>
  datedPeriods: Map<string, number>
  entitlements: Set<string>
  isSubscription: boolean
  isBoughtAgain: boolean
}

/** Collects what the rows say of the products that the catalogue does not have, at most a thousand of them. */
export class ProductWatch {
  readonly #seen = new Map<string, Seen>()
  /** By product and person: hash of their first purchase of it. */
  readonly #buyers = new CompactMap(1)

  note(rows: readonly ImportRow[], catalog: ProjectState['catalog']): void {
    for (const row of rows) if (row.productIdentifier !== null && !isKnownProduct(row, catalog)) this.#add(row)
  }

  result(): ProductFacts[] {
    return [...this.#seen.values()].map(toFacts)
  }

  #add(row: ImportRow): void {
    const seen = this.#seenOf(row)
    if (!seen) return
    seen.rows++
    count(seen.names, row.productName)
    count(seen.toldTypes, row.productType)
    count(seen.toldPeriods, row.productPeriod)
    count(seen.datedPeriods, periodOf(row))
    for (const name of row.entitlements ?? []) if (seen.entitlements.size < MAX_VALUES) seen.entitlements.add(name)
    seen.isSubscription ||= isOfSubscription(row)
    seen.isBoughtAgain ||= (row.quantity ?? 1) > 1 || this.#isBoughtAgain(row)
  }

  #seenOf({ store, productIdentifier: identifier }: ImportRow): Seen | null {
    const key = `${store} ${identifier}`
    const known = this.#seen.get(key)
    if (known) return known
    if (identifier === null || this.#seen.size >= MAX_PRODUCTS) return null
    const seen: Seen = {
      ...{ store, identifier, rows: 0, names: new Map(), toldTypes: new Map() },
      ...{
        toldPeriods: new Map(),
        datedPeriods: new Map(),
        entitlements: new Set<string>(),
        isSubscription: false,
        isBoughtAgain: false,
      },
    }
    this.#seen.set(key, seen)
    return seen
  }

  /** A restored purchase has another transaction, and the same first one. */
  #isBoughtAgain(row: ImportRow): boolean {
    const id = row.originalTransactionId ?? row.storeTransactionId
    if (id === null) return false
    const name = `${row.store} ${row.productIdentifier}\n${row.subscriberExternalId}`
    const hash = Bun.hash.crc32(id)
    const [first] = this.#buyers.get(name) ?? []
    if (first === undefined) this.#buyers.set(name, [hash])
    return first !== undefined && first !== hash
  }
}

const isOfSubscription = ({ isSubscription, expiresDate, autoRenews, productPeriod, store }: ImportRow): boolean =>
  isSubscription ?? (expiresDate !== null || autoRenews === true || productPeriod !== undefined || store === 'MANUAL')

/** Trials and offers have periods of their own, and a refund cuts one short. */
function periodOf({ isTrial, isIntroOffer, refundedAt, purchaseDate, expiresDate }: ImportRow): string | undefined {
  if (isTrial || isIntroOffer || refundedAt !== null || purchaseDate === null || expiresDate === null) return undefined
  return periodBetween(purchaseDate, expiresDate) ?? undefined
}

function count<Value extends string>(values: Map<Value, number>, value: Value | undefined): void {
  if (value === undefined || (values.size >= MAX_VALUES && !values.has(value))) return
  values.set(value, (values.get(value) ?? 0) + 1)
}

/** Of two that are as frequent, the first of the alphabet: the order of the rows decides nothing. */
const mostFrequent = <Value extends string>(values: ReadonlyMap<Value, number>): Value | null =>
  [...values].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? null

function toFacts({ store, identifier, rows, ...seen }: Seen): ProductFacts {
  const type = typeOf(seen)
  const period = mostFrequent(seen.toldPeriods) ?? mostFrequent(seen.datedPeriods)
  return {
    ...{ store, identifier, rows, type, name: mostFrequent(seen.names) },
    period: type === 'SUBSCRIPTION' ? period : null,
    entitlements: [...seen.entitlements].sort(),
  }
}

/** The column of the type decides; without it the rows do. */
function typeOf({
  toldTypes,
  isSubscription,
  isBoughtAgain,
}: Pick<Seen, 'toldTypes' | 'isSubscription' | 'isBoughtAgain'>): ProductType {
  const told = mostFrequent(toldTypes)
  if (told !== null && told !== 'ONE_TIME') return told
  if (told === null && isSubscription) return 'SUBSCRIPTION'
  return isBoughtAgain ? 'CONSUMABLE' : 'NON_CONSUMABLE'
}
