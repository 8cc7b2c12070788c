import type { CatalogRows } from '../../projects/catalog/snapshot'
import { readCatalog } from './current'
import type { AccessState, CurrencyState, OfferingState, ProductState, ProjectFile } from './model'
import { live, type Pair, pairUp } from './pair'
import { type Problem, problem } from './problem'
import { applyRenames } from './rename'

export interface CatalogPlan {
  access: Pair<AccessState>[]
  virtualCurrencies: Pair<CurrencyState>[]
  products: Pair<ProductState>[]
  offerings: Pair<OfferingState>[]
}

export interface PlanOptions {
  prune: boolean
  /** Products that somebody bought: they are set inactive, never deleted. */
  soldProductIds: ReadonlySet<string>
}

/** The catalogue before and after the file, and the renames and marks that cannot be. */
export function planCatalog(
  file: ProjectFile,
  rows: CatalogRows,
  options: PlanOptions,
): { plan: CatalogPlan; problems: Problem[] } {
  const { names, problems } = applyRenames(file, rows)
  const saved = readCatalog(rows, names)
  const { prune, soldProductIds } = options
  const isSold = (id: string) => soldProductIds.has(id)
  const offerings = pairUp(saved.offerings, file.offerings, prune ? () => null : null)
  const plan = {
    access: pairUp(saved.access, file.access, prune ? () => null : null),
    virtualCurrencies: pairUp(saved.virtualCurrencies, file.virtualCurrencies, prune ? archived : null),
    products: pairUp(
      saved.products,
      file.products,
      prune ? ({ id, state }) => (isSold(id) ? inactive(state) : null) : null,
    ),
    offerings: file.offerings === null ? offerings : markDefault(offerings),
  }
  return { plan, problems: [...problems, ...refuseSecondDefault(offerings)] }
}

const archived = ({ state }: { state: CurrencyState }): CurrencyState => ({ ...state, isArchived: true })

const inactive = (state: ProductState): ProductState => ({ ...state, isActive: false })

/**
 * Exactly one offering is the default: the one that the file marks; else the present one; else the one called
 * `default`; else the first by identifier.
 */
function markDefault(pairs: readonly Pair<OfferingState>[]): Pair<OfferingState>[] {
  const there = live(pairs)
  const byName = there.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const chosen =
    there.find(({ path, after }) => path !== null && after.isDefault) ??
    there.find(({ before }) => before?.isDefault) ??
    there.find(({ name }) => name === 'default') ??
    byName[0]
  return pairs.map((pair) =>
    pair.after === null ? pair : { ...pair, after: { ...pair.after, isDefault: pair === chosen } },
  )
}

function refuseSecondDefault(pairs: readonly Pair<OfferingState>[]): Problem[] {
  const [, ...more] = pairs.filter(({ path, after }) => path !== null && after?.isDefault)
  return more.map(({ path, name }) =>
    problem([...(path ?? []), 'isDefault'], `${name} is the second default offering; there is exactly one`),
  )
}
