import { catalogueEnds } from '../../../intake/recording/catalogue-end'
import { soldType } from '../../../intake/recording/model'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { Observation, ProductType, Store } from '../../../stores/observation'

/** What a store reported, with the end that only the catalogue knows. */
export const withCatalogueEnd = (
  catalog: CatalogSnapshot,
  store: Store,
  known: readonly Observation[],
  reported: readonly Observation[],
): Observation[] => [...reported, ...catalogueEnds({ catalog }, store, [...known, ...reported])]

/** The type of what an observation is about, by that of its product. */
export const soldTypeOf = (one: Observation, type: ProductType): ProductType =>
  soldType(one.kind === 'REPORT' && one.transaction?.isNonRenewing === true, type)
