import type { PurchaseFold } from '../../people/purchases/model'
import type { ProductType } from '../../stores/observation'
import { isRealPeriod, periodBetween } from './period-between'

/**
 * What purchases tell of a product: each the most frequent. A one-time purchase is recorded as one for ever; when somebody
 * has several of it, it is consumed.
 */
export function guessOf(
  storeProductId: string,
  folds: readonly PurchaseFold[],
  isBoughtAgain: boolean,
): { type: ProductType; period: string | null } {
  const type = typeOf(mostFrequent(folds.map(({ productType }) => productType)), isBoughtAgain)
  // A purchase of which only earlier charges wait is of another product now.
  const own = folds.filter((fold) => fold.storeProductId === storeProductId)
  return { type, period: type === 'SUBSCRIPTION' ? mostFrequent(own.flatMap((fold) => periodOf(fold) ?? [])) : null }
}

const typeOf = (recorded: ProductType | null, isBoughtAgain: boolean): ProductType =>
  recorded === 'NON_CONSUMABLE' && isBoughtAgain ? 'CONSUMABLE' : (recorded ?? 'SUBSCRIPTION')

/** Trials and offers have periods of their own, and a refund cuts one short. */
function periodOf({ period, recurring, ...fold }: PurchaseFold): string | null {
  const named = recurring?.period ?? period
  if (isRealPeriod(named)) return named
  const { isTrial, isIntroOffer, refundedAt, purchaseDate, expiresAt } = fold
  return isTrial || isIntroOffer || refundedAt !== null || expiresAt === null
    ? null
    : periodBetween(purchaseDate, expiresAt)
}

/** Of several that are as frequent, the first of the alphabet. */
function mostFrequent<Value extends string>(values: readonly Value[]): Value | null {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? null
}
