import { canonicalJson } from '../../../base/lib/hash'
import { linesOf, replacedPeriod } from '../../../intake/recording/line-change'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { Observation, ProductType, Store } from '../../../stores/observation'
import { computeEntitlements, type EntitlementGrant } from '../../entitlements/compute'
import { foldObservations } from '../fold'
import { planBooked, possibleReferences } from '../grant-references'
import type { GrantSource } from '../grants'
import { type Clawback, Ledger } from '../ledger.fixtures'
import type { PurchaseFold, PurchaseState, TransactionLine } from '../model'
import { effectiveEnd, nextStatusChangeAt, statusAt } from '../status'
import { findStoreProduct } from '../store-product'
import { purchaseEvents } from '../transitions'
import { soldTypeOf, withCatalogueEnd } from './non-renewing.fixtures'

/** Observations of one purchase. */
export interface ObservationBatch {
  store: Store
  chainKey: string
  observations: readonly Observation[]
}

interface Held {
  store: Store
  type: ProductType
  known: Observation[]
  /** The state at the last recorded events. */
  published: PurchaseState
  lines: ReadonlyMap<string, TransactionLine>
}

/**
 * The purchases of one owner in memory, recorded step by step. The steps are those of `recordObservations`, with the
 * same pure functions.
 */
export class Book {
  readonly ledger: Ledger
  readonly purchases = new Map<string, Held>()

  constructor(
    private readonly catalog: CatalogSnapshot,
    clawback: Clawback = 'full',
  ) {
    this.ledger = new Ledger(clawback)
  }

  /** Records observations, and returns the types of the events that follow. */
  record({ store, chainKey, observations }: ObservationBatch, now: number): string[] {
    const held = this.purchases.get(chainKey)
    const known = held?.known ?? []
    const reported = observations.filter((one) => !known.some(({ kind, id }) => kind === one.kind && id === one.id))
    const fresh = withCatalogueEnd(this.catalog, store, known, reported)
    if (held && fresh.length === 0) return []
    const all = [...known, ...fresh]
    const type = this.typeOf(store, all) ?? held?.type ?? 'SUBSCRIPTION'
    const fold = foldObservations(all, type)
    if (!fold) return []
    const { before, after: lines } = linesOf(known, all, type)
    const after = statusAt(fold, now)
    this.purchases.set(chainKey, { store, type, known: all, published: after, lines: byKey(lines) })
    const entries = this.#grant(this.sourceOf(chainKey, store, type, lines), before)
    const replaced = replacedPeriod(all)?.storeProductId
    const events = purchaseEvents(held?.published ?? null, after, {
      newLines: lines.filter((line) => !keysOf(line).some((key) => held?.lines.has(key))),
      productIdOf: (id) => findStoreProduct(this.catalog, id, store)?.id ?? null,
      transactionIdOf: (id) => id,
      ...(replaced === undefined ? {} : { replacedStoreProductId: replaced }),
    })
    return [...events.map((event) => event.type), ...entries.map(() => 'currency.transaction')]
  }

  /** Any reported product gives the type; `recordObservations` gets the product from its caller. */
  typeOf(store: Store, observations: readonly Observation[]): ProductType | null {
    for (const one of observations) {
      const id = one.kind === 'REPORT' ? one.transaction?.storeProductId : undefined
      const product = id === undefined ? null : findStoreProduct(this.catalog, id, store)
      if (product) return soldTypeOf(one, product.type)
    }
    return null
  }

  sourceOf(purchaseId: string, store: Store, productType: ProductType, lines: readonly TransactionLine[]): GrantSource {
    const rowsOf = (id: string) => this.catalog.grantsByProduct.get(findStoreProduct(this.catalog, id, store)?.id ?? '')
    return { purchaseId, productType, chargeScope: '', lines, rowsOf: (id) => rowsOf(id) ?? [] }
  }

  #grant(source: GrantSource, linesBefore: readonly TransactionLine[]) {
    const count = this.ledger.entries.length
    const booked = this.ledger.booked(possibleReferences(source))
    this.ledger.carryOut(planBooked(source, linesBefore, booked))
    return this.ledger.entries.slice(count)
  }

  folds(): [chainKey: string, fold: PurchaseFold, held: Held][] {
    const chains = [...this.purchases].sort(([a], [b]) => (a < b ? -1 : 1))
    return chains.map(([chainKey, held]) => [chainKey, foldOf(held), held])
  }

  entitlementsAt(now: number) {
    return computeEntitlements(
      this.folds().map(([chainKey, fold, { store }]) => this.#toGrant(chainKey, fold, store)),
      now,
      true,
    )
  }

  #toGrant(purchaseId: string, fold: PurchaseFold, store: Store): EntitlementGrant {
    const product = findStoreProduct(this.catalog, fold.storeProductId, store)
    return {
      purchaseId,
      accessIdentifiers: product?.accessIds ?? [],
      productIdentifier: product?.identifier ?? 'unknown',
      store,
      environment: 'PRODUCTION',
      fold,
    }
  }

  /** Sum of all money lines by currency. */
  money(): Record<string, number> {
    const sums: Record<string, number> = {}
    for (const { lines } of this.purchases.values())
      for (const { price } of lines.values())
        if (price) sums[price.currency] = (sums[price.currency] ?? 0) + price.amountMicros
    return sums
  }

  balances(): Record<string, number> {
    const held = [...this.ledger.balances].map(([id, balance]) => [id, Number(balance)] as const)
    return Object.fromEntries(held.filter(([, balance]) => balance !== 0))
  }

  /** All results that must not depend on the order of the observations, at the given instants. */
  outcome(instants: readonly number[]): string {
    const purchases = this.folds().map(([chainKey, fold, { type, lines }]) => ({
      chainKey,
      type,
      fold,
      end: effectiveEnd(fold),
      states: instants.map((at) => [statusAt(fold, at), nextStatusChangeAt(fold, at)]),
      lines: [...lines.values()],
    }))
    const entitlements = instants.map((at) => this.entitlementsAt(at))
    return canonicalJson({ purchases, entitlements, balances: this.balances(), money: this.money() })
  }
}

function foldOf({ known, type }: Held): PurchaseFold {
  const fold = foldObservations(known, type)
  if (!fold) throw new Error('A known purchase has a transaction')
  return fold
}

/** A copy that was bought earlier gives a line another key. */
const keysOf = ({ key, storeTransactionId, aliases = [] }: TransactionLine): string[] =>
  [storeTransactionId, ...aliases].map((id) => id + key.slice(storeTransactionId.length))

const byKey = (lines: readonly TransactionLine[]) => new Map(lines.map((line) => [line.key, line]))

/** The accesses that are active at an instant, with their ends. */
export const accessOf = (book: Book, at: number): Record<string, number | null> =>
  Object.fromEntries(
    book.entitlementsAt(at).flatMap(({ access, isActive, expiresAt }) => (isActive ? [[access, expiresAt]] : [])),
  )
