import type { Purchase } from './use-person'
import { useWords } from './words'

/** What distinguishes purchases of one product: store, state, and when the purchase ends or was made. */
export function usePurchaseHint(): (purchase: Purchase) => string {
  const { t, store, status, day } = useWords()
  return (one) => {
    const time = one.effectiveEnd === null ? day(one.purchaseDate) : t.words.until(day(one.effectiveEnd))
    return `${store(one.store)} · ${status(one.status)} · ${time}`
  }
}
