import { namedProducts } from '../../intake/android/match'
import type { ProjectState } from '../../projects/project/state'
import { productOf } from './commit/row-identity'
import type { ImportKind, UnknownProduct } from './model'
import type { ImportRow } from './row'

const MAX_NAMED = 1000

type Catalog = ProjectState['catalog']

/** The products of the rows that the catalogue does not have, each once. */
export function findUnknown(
  { catalog }: { catalog: Catalog },
  kind: ImportKind,
  rows: readonly ImportRow[],
): UnknownProduct[] {
  const found = new Map<string, UnknownProduct>()
  for (const row of rows) {
    const { store, productIdentifier: identifier } = row
    if (identifier === null) continue
    const key = keyOf({ store, identifier })
    const known = found.get(key)
    if (known) known.rows++
    else if (!IS_KNOWN[kind](row, catalog)) found.set(key, { store, identifier, rows: 1 })
  }
  return [...found.values()]
}

/** Whether a row of a history needs no product, or the catalogue has it. */
export const isKnownProduct = (row: ImportRow, catalog: Catalog): boolean =>
  isNamedGrant(row) || productOf(row, catalog) !== null

const IS_KNOWN: Readonly<Record<ImportKind, (row: ImportRow, catalog: Catalog) => boolean>> = {
  HISTORY: isKnownProduct,
  // A file of tokens names products of Google, whichever their base plans.
  ANDROID_TOKEN_ENRICHMENT: ({ productIdentifier }, catalog) =>
    namedProducts(catalog, productIdentifier ?? '').length > 0,
}

/** A grant that names its accesses needs no product. */
const isNamedGrant = ({ store, entitlements }: ImportRow): boolean =>
  store === 'MANUAL' && (entitlements ?? []).length > 0

const keyOf = ({ store, identifier }: Pick<UnknownProduct, 'store' | 'identifier'>): string => `${store} ${identifier}`

/** Both lists as one. At most the first thousand products are named. */
export function addUnknown(before: readonly UnknownProduct[], more: readonly UnknownProduct[]): UnknownProduct[] {
  if (more.length === 0) return [...before]
  const all = new Map(before.map((product) => [keyOf(product), product]))
  for (const product of more) {
    const key = keyOf(product)
    const known = all.get(key)
    if (known) all.set(key, { ...known, rows: known.rows + product.rows })
    else if (all.size < MAX_NAMED) all.set(key, product)
  }
  return [...all.values()]
}
