import type { ProjectState } from '../../../projects/project/state'
import type { UnknownProduct } from '../model'
import type { ImportRow } from '../row'
import { productOf } from './row-identity'

/** Products that the catalogue does not have. A grant that names its accesses needs none. */
export function unknownProducts(rows: readonly ImportRow[], { catalog }: ProjectState): UnknownProduct[] {
  const counts = new Map<string, UnknownProduct>()
  for (const row of rows) {
    const { store, productIdentifier: identifier, entitlements } = row
    const needsNone = identifier === null || (store === 'MANUAL' && (entitlements ?? []).length > 0)
    if (needsNone || productOf(row, catalog)) continue
    const name = `${store}\n${identifier}`
    const known = counts.get(name)
    if (known) known.rows++
    else counts.set(name, { store, identifier, rows: 1 })
  }
  return [...counts.values()]
}
