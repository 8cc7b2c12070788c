import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { UnknownProduct } from './model'
import type { ImportRow } from './row'

const MAX_NAMED = 1000

/** The products of the rows that the catalogue does not have, each once. */
export function findUnknown({ catalog }: Pick<ProjectState, 'catalog'>, rows: readonly ImportRow[]): UnknownProduct[] {
  const found = new Map<string, UnknownProduct>()
  for (const { store, productIdentifier: identifier } of rows) {
    if (identifier === null) continue
    const key = `${store} ${identifier}`
    const known = found.get(key)
    if (known) known.rows++
    else if (!isKnown(catalog, store, identifier)) found.set(key, { store, identifier, rows: 1 })
  }
  return [...found.values()]
}

const isKnown = (catalog: ProjectState['catalog'], store: ImportRow['store'], identifier: string): boolean =>
  (store === 'MANUAL' ? catalog.productByIdentifier.get(identifier) : findStoreProduct(catalog, identifier, store)) !=
  null

/** Both lists as one. At most the first thousand products are named. */
export function addUnknown(before: readonly UnknownProduct[], more: readonly UnknownProduct[]): UnknownProduct[] {
  if (more.length === 0) return [...before]
  const all = new Map(before.map((product) => [`${product.store} ${product.identifier}`, product]))
  for (const product of more) {
    const key = `${product.store} ${product.identifier}`
    const known = all.get(key)
    if (known) all.set(key, { ...known, rows: known.rows + product.rows })
    else if (all.size < MAX_NAMED) all.set(key, product)
  }
  return [...all.values()]
}
