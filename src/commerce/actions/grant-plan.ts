import { MAX_INSTANT } from '../../base/lib/time'
import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import type { ProductType, Report } from '../../stores/observation'

/** What to grant: the access of a product, or single accesses, by id or identifier. `expiresAt` null = no end. */
export interface GrantWish {
  productId: string | null
  accessIds: readonly string[] | null
  expiresAt: number | null
}

/** A valid grant, with the values of the purchase that records it. */
export interface PlannedGrant {
  ok: true
  productType: ProductType
  /** The id of our product, because no store has an id for it. */
  storeProductId: string
  /** Null when the product decides which accesses are granted. */
  accessIds: string[] | null
  expiresAt: number | null
}

export type GrantPlan =
  | PlannedGrant
  | { ok: false; reason: 'unclear' | 'no_access' | 'past' | 'too_late' }
  | { ok: false; reason: 'unknown'; resource: 'product' | 'access'; ids: string[] }

/** The product id in a grant of single accesses. No real product has this id. */
const NO_PRODUCT = 'access'

/** Checks a grant: either a product or accesses, all of them known, and an end in the future. */
export function planGrant(wish: GrantWish, catalog: CatalogSnapshot, now: number): GrantPlan {
  const { productId, accessIds, expiresAt } = wish
  const named = accessIds ?? []
  if ((productId === null) === (named.length === 0)) return { ok: false, reason: 'unclear' }
  if (expiresAt !== null && expiresAt <= now) return { ok: false, reason: 'past' }
  if (expiresAt !== null && expiresAt > MAX_INSTANT) return { ok: false, reason: 'too_late' }
  return productId === null ? planAccesses(named, catalog, expiresAt) : planProduct(productId, catalog, expiresAt)
}

function planProduct(reference: string, catalog: CatalogSnapshot, expiresAt: number | null): GrantPlan {
  const product: Product | undefined = catalog.products.get(reference) ?? catalog.productByIdentifier.get(reference)
  if (!product) return { ok: false, reason: 'unknown', resource: 'product', ids: [reference] }
  if (product.accessIds.length === 0) return { ok: false, reason: 'no_access' }
  return { ok: true, productType: product.type, storeProductId: product.id, accessIds: null, expiresAt }
}

function planAccesses(references: readonly string[], catalog: CatalogSnapshot, expiresAt: number | null): GrantPlan {
  const idsByIdentifier = new Map([...catalog.access.values()].map(({ id, identifier }) => [identifier, id]))
  const found = references.map((one) => (catalog.access.has(one) ? one : (idsByIdentifier.get(one) ?? null)))
  const unknown = references.filter((_, index) => found[index] === null)
  if (unknown.length > 0) return { ok: false, reason: 'unknown', resource: 'access', ids: [...new Set(unknown)] }
  const accessIds = [...new Set(found.flatMap((id) => id ?? []))]
  return { ok: true, productType: 'SUBSCRIPTION', storeProductId: NO_PRODUCT, accessIds, expiresAt }
}

/**
 * The observation that records a grant: a transaction without a price, with the end that the developer set. No store
 * gives it an id, so the purchase's id is used for the purchase and for the transaction.
 */
export const grantReport = (
  purchaseId: string,
  { storeProductId, expiresAt }: PlannedGrant,
  grantedAt: number,
): Report => ({
  kind: 'REPORT',
  id: `grant:${purchaseId}`,
  eventAt: grantedAt,
  transaction: {
    transactionId: purchaseId,
    storeProductId,
    purchaseDate: grantedAt,
    originalPurchaseDate: grantedAt,
    expiresAt,
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    price: null,
    quantity: 1,
    ownershipType: 'PURCHASED',
    reason: 'GRANT',
  },
  ...(expiresAt === null ? {} : { ended: { at: expiresAt, reason: 'DEVELOPER' } }),
})
