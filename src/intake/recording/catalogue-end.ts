import { addPeriod, isPeriod } from '../../base/lib/period'
import { MAX_INSTANT } from '../../base/lib/time'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, Report, Store } from '../../stores/observation'

/**
 * The end of a subscription that never renews, which only the catalogue knows: one period after the purchase date. Empty
 * when it is known already, when the product has no period, and for every other purchase. Once known it stays, whatever
 * becomes of the catalogue.
 */
export function catalogueEnds(
  { catalog }: Pick<ProjectState, 'catalog'>,
  store: Store,
  observations: readonly Observation[],
): Report[] {
  const reports = observations.filter(isNonRenewing)
  const [first] = reports
  const part = first?.transaction
  if (!part || reports.some(({ transaction }) => transaction?.expiresAt !== null)) return []
  const period = findStoreProduct(catalog, part.storeProductId, store)?.period
  if (!period || !isPeriod(period)) return []
  const expiresAt = Math.min(addPeriod(part.purchaseDate, period), MAX_INSTANT)
  return [{ ...first, id: `${first.id}:end`, transaction: { ...part, expiresAt } }]
}

const isNonRenewing = (one: Observation): one is Report =>
  one.kind === 'REPORT' && one.transaction?.isNonRenewing === true
