import type { RowChanges } from '../../../../base/db/row-changes'
import { type Content, contentByName, sortDeep, unless, withoutEmpty } from '../../../project-file/content'
import type { Pair } from '../../../project-file/model'
import { live, planObjects } from '../../../project-file/pair'
import type { Names, Section, Writing } from '../../../project-file/section'
import { changed, idOf, present, savedAs } from '../../../project-file/stored'
import { chooseDefault } from '../../rules'
import { loadCatalogRows } from '../../service'
import type { Offering } from '../../snapshot'
import { PRODUCTS } from '../products/model'
import { writeCatalogPart } from '../write'
import { checkOfferings } from './check'
import { OFFERINGS, type OfferingState, type PackageState } from './model'
import { parseOfferings } from './parse'

type Rows = readonly Offering[]

/** The offerings of a project. One of them is the default. */
export const offeringSection: Section<OfferingState, Rows, OfferingState, RowChanges<Offering>> = {
  key: OFFERINGS,
  idPrefix: 'off',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: parseOfferings,
  load: async ({ once }) => (await once(loadCatalogRows)).offerings,
  names: (rows) => new Map(rows.map(({ id, identifier }) => [id, identifier])),
  current: (rows, names) =>
    rows.map((row) => savedAs(names.of(OFFERINGS), row.id, row.identifier, stateOf(row, names))),
  plan: (given) => {
    const pairs = planObjects(given)
    return given.wanted === null ? pairs : markDefault(pairs)
  },
  uses: ({ packages }) => [{ of: PRODUCTS, names: packages.map(({ product }) => product) }],
  check: checkOfferings,
  named: (identifier) => ({ identifier }),
  rows: rowsOf,
  write: (tx, projectId, offerings) => writeCatalogPart(tx, projectId, { offerings }),
  content: (saved) => contentByName(saved, contentOf),
  // A file that marks none keeps the default that there is.
  leaves: (_one, wanted) => (wanted.some(({ state }) => state.isDefault) ? [] : [['isDefault']]),
}

/** References to rows that no longer exist are left out. */
const stateOf = ({ isDefault, packages, metadata }: Offering, names: Names): OfferingState => ({
  isDefault,
  packages: packages
    .toSorted((a, b) => a.order - b.order)
    .flatMap(({ productId, ...slot }) => present(names.of(PRODUCTS), productId, (product) => ({ ...slot, product }))),
  metadata,
})

/** Makes exactly one offering the default. */
function markDefault(pairs: readonly Pair<OfferingState>[]): Pair<OfferingState>[] {
  const candidates = live(pairs).map((pair) => ({
    pair,
    name: pair.name,
    isMarked: pair.path !== null && pair.after.isDefault,
    wasDefault: pair.before?.isDefault === true,
  }))
  const chosen = chooseDefault(candidates)?.pair
  return pairs.map((pair) =>
    pair.after === null ? pair : { ...pair, after: { ...pair.after, isDefault: pair === chosen } },
  )
}

function rowsOf({ pairs, ids }: Writing<Rows, OfferingState>): RowChanges<Offering> {
  return changed(pairs, (id, identifier, { isDefault, packages, metadata }) => ({
    id,
    identifier,
    isDefault,
    packages: packages.map(({ product, ...slot }) => ({ ...slot, productId: idOf(ids.of(PRODUCTS), product) })),
    metadata,
  }))
}

const contentOf = ({ isDefault, metadata, packages }: OfferingState): Content =>
  withoutEmpty({
    isDefault: unless(false, isDefault),
    metadata: sortDeep(metadata),
    packages: packages.map(packageContent),
  })

const packageContent = (slot: PackageState, index: number): Content =>
  withoutEmpty({
    identifier: slot.identifier,
    product: slot.product,
    order: unless(index, slot.order),
    promoted: unless(false, slot.isPromoted),
    metadata: sortDeep(slot.metadata),
  })
