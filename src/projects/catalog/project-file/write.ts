import type { Tx } from '../../../base/context'
import { type CatalogChanges, writeCatalog } from '../service'

const NOTHING = { created: [], updated: [], deletedIds: [] }
const NO_CHANGES: CatalogChanges = {
  access: NOTHING,
  currencies: NOTHING,
  products: NOTHING,
  offerings: NOTHING,
  grants: [],
}

/** Writes the changes of one section of the catalogue. */
export const writeCatalogPart = (tx: Tx, projectId: string, part: Partial<CatalogChanges>): Promise<void> =>
  writeCatalog(tx, projectId, { ...NO_CHANGES, ...part })
