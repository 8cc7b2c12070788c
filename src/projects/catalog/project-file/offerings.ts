import type { RowChanges } from '../../../base/db/row-changes'
import { contentByName } from '../../../core/project-file/content'
import { identifier, metadata, reference } from '../../project-file/fields'
import { type Formed, form, may, must, objects, orNone } from '../../project-file/form'
import { type Pair, sectionKey } from '../../project-file/model'
import { changed, gone, idOf, live, lost, over, planObjects, present, savedAs, tooMany } from '../../project-file/pair'
import { type Problem, problem } from '../../project-file/problem'
import { bool, integer, list, type Written, writtenAs } from '../../project-file/reader'
import type { Checking, Names, Section, User } from '../../project-file/section'
import { chooseDefault, MOST, placePackages, repeated } from '../rules'
import { loadCatalogRows, writeCatalog } from '../service'
import type { Offering } from '../snapshot'
import { PRODUCTS } from './product-form'

// The plan checks the real limit and refuses with CONFLICT; this one only bounds the work.
const MANY = 5000

const PACKAGE = form({
  identifier: must(identifier, ''),
  product: must(reference(PRODUCTS), ''),
  /** Null = its place in the list. */
  order: orNone(integer(-1_000_000, 1_000_000)),
  isPromoted: may(bool, false, 'promoted'),
  metadata: may(metadata, {}),
})

type PackageState = Formed<typeof PACKAGE> & { order: number }

const packages: Written<PackageState[]> = writtenAs(
  (spot) => {
    const found = list(PACKAGE, MANY)(spot)
    for (const name of repeated(found?.map((each) => each.identifier) ?? []))
      spot.fail(`Two packages are called ${name}`)
    return found && placePackages(found)
  },
  (slots) => slots.map((slot, index) => PACKAGE.write({ ...slot, order: slot.order === index ? null : slot.order })),
)

const FORM = form({
  isDefault: may(bool, false),
  metadata: may(metadata, {}),
  /** Ascending by `order`. */
  packages: may(packages, []),
})

type OfferingState = Formed<typeof FORM>

export const OFFERINGS = sectionKey<OfferingState>('offerings', 'offering')

/** The offerings of a project. One of them is the default. */
export const offeringSection: Section<OfferingState, readonly Offering[], OfferingState, RowChanges<Offering>> = {
  key: OFFERINGS,
  idPrefix: 'off',
  takenCode: 'IDENTIFIER_TAKEN',
  parse: objects(FORM.from),
  load: async ({ once }) => (await once(loadCatalogRows)).offerings,
  names: (rows) => new Map(rows.map((row) => [row.id, row.identifier])),
  current: (rows, names) =>
    rows.map((row) => savedAs(names.of(OFFERINGS), row.id, row.identifier, stateOf(row, names))),
  plan: (given) => {
    const pairs = planObjects(given)
    return given.wanted === null ? pairs : markDefault(pairs)
  },
  uses: (state) => [{ of: PRODUCTS, names: state.packages.map(({ product }) => product) }],
  check,
  named: (name) => ({ identifier: name }),
  rows: ({ pairs, ids }) =>
    changed(pairs, (id, name, state) => ({
      ...{ id, identifier: name, ...state },
      packages: state.packages.map(({ product, ...slot }) => ({ ...slot, productId: idOf(ids.of(PRODUCTS), product) })),
    })),
  write: (tx, projectId, offerings) => writeCatalog(tx, projectId, { offerings }),
  content: (saved) => contentByName(saved, FORM.write),
  // A file that marks none keeps the default that there is.
  leaves: (_one, wanted) => (wanted.some(({ state }) => state.isDefault) ? [] : [['isDefault']]),
}

/** References to rows that no longer exist are left out. */
const stateOf = ({ isDefault, packages: slots, metadata: own }: Offering, names: Names): OfferingState => ({
  isDefault,
  packages: slots
    .toSorted((a, b) => a.order - b.order)
    .flatMap(({ productId, ...slot }) => present(names.of(PRODUCTS), productId, (product) => ({ ...slot, product }))),
  metadata: own,
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

/** Refuses a second default offering, too many offerings or packages, and pruning an offering that is in use. */
function check({ wanted, pairs, users }: Checking<OfferingState, unknown, OfferingState>): Problem[] {
  const second = (wanted?.filter(({ state }) => state.isDefault) ?? []).slice(1)
  return [
    ...second.map(({ path, name }) =>
      problem([...path, 'isDefault'], `${name} is the second default offering; there is exactly one`),
    ),
    ...tooMany(OFFERINGS, pairs, MOST.offerings),
    ...live(pairs).flatMap(({ path, after }) =>
      path === null ? [] : over([...path, 'packages'], 'packages', after.packages.length, MOST.packages),
    ),
    // One problem for each kind of object that uses an offering.
    ...[...Map.groupBy(users, ({ kind }: User) => kind).values()].flatMap((some) => lost(OFFERINGS, gone(pairs), some)),
  ]
}
