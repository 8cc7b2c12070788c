import type { ProductState } from './model'
import { type Live, live, type Pair } from './pair'
import type { CatalogPlan } from './plan-catalog'
import { type Path, type Problem, problem } from './problem'

/** What the planned catalogue must not be: references lost, store ids twice, too much of something. */
export const checkCatalog = (plan: CatalogPlan): Problem[] => [
  ...lostReferences(plan),
  ...takenStoreIds(live(plan.products)),
  ...exceededLimits(plan),
]

const SECTIONS = {
  access: 'access',
  product: 'products',
  virtualCurrency: 'virtualCurrencies',
  offering: 'offerings',
  funnel: 'funnels',
  experiment: 'experiments',
} as const

/** What `--prune` would take away from objects that the file leaves alone. */
function lostReferences(plan: CatalogPlan): Problem[] {
  const left = live(plan.products).filter(({ path }) => path === null)
  const slots = live(plan.offerings).filter(({ path }) => path === null)
  return [
    ...lost(
      'access',
      plan.access,
      left.map(({ name, after }) => [`product ${name}`, after.accessIds]),
    ),
    ...lost(
      'virtualCurrency',
      plan.virtualCurrencies.filter(({ before }) => !before?.isArchived),
      left.map(({ name, after }) => [`product ${name}`, after.grants.map(({ currency }) => currency)]),
    ),
    ...lost(
      'product',
      plan.products.filter(({ after }) => after === null),
      slots.map(({ name, after }) => [`offering ${name}`, after.packages.map(({ product }) => product)]),
    ),
  ]
}

export type User = [user: string, names: readonly string[]]

/** Pruned objects that somebody uses; the first user is told. */
export const lost = (
  resource: keyof typeof SECTIONS,
  pairs: readonly Pair<unknown>[],
  users: readonly User[],
): Problem[] =>
  pairs
    .filter(({ isPruned }) => isPruned)
    .flatMap(({ name }) => {
      const user = users.find(([, names]) => names.includes(name))
      if (!user) return []
      return [problem([SECTIONS[resource]], `${resource} ${name} cannot be pruned: ${user[0]} uses it`, 'CONFLICT')]
    })

const STORES = ['ios', 'android', 'payment'] as const

/** A store id belongs to one product; an Android id to one for each base plan. */
function takenStoreIds(products: readonly Live<ProductState>[]): Problem[] {
  const holders = new Map<string, Live<ProductState>>()
  const problems: Problem[] = []
  for (const product of products.toSorted((a, b) => Number(a.path !== null) - Number(b.path !== null)))
    for (const store of STORES) {
      const storeId = product.after.storeIds[store]
      const key = `${store} ${storeId} ${store === 'android' ? (product.after.androidBasePlanId ?? '') : ''}`
      const holder = holders.get(key)
      if (storeId === null) continue
      if (!holder) holders.set(key, product)
      else if (product.path !== null) problems.push(takenStoreId(product.path, store, storeId, holder))
    }
  return problems
}

function takenStoreId(path: Path, store: string, storeId: string, holder: Live<ProductState>): Problem {
  const product = { id: holder.id, identifier: holder.name }
  return problem(
    [...path, 'storeIds', store],
    `${storeId} is the ${store} id of ${holder.name} already`,
    'STORE_ID_TAKEN',
    { store, storeId, product },
  )
}

/** Wire section 6. */
const LIMITS = { access: 200, virtualCurrencies: 100, products: 2000, offerings: 200, grants: 20, packages: 50 }

/** Only what the file adds to is counted: what is saved already is nobody's mistake here. */
function exceededLimits(plan: CatalogPlan): Problem[] {
  const { access, virtualCurrencies, products, offerings } = plan
  return [
    ...tooMany('access', access),
    ...tooMany('virtualCurrencies', virtualCurrencies, ({ isArchived }) => !isArchived),
    ...tooMany('products', products),
    ...tooMany('offerings', offerings),
    ...inFile(products).flatMap(({ path, after }) => over([...path, 'grants'], 'grants', after.grants.length)),
    ...inFile(offerings).flatMap(({ path, after }) => over([...path, 'packages'], 'packages', after.packages.length)),
  ]
}

function tooMany<State>(
  section: 'access' | 'virtualCurrencies' | 'products' | 'offerings',
  pairs: readonly Pair<State>[],
  counts: (state: State) => boolean = () => true,
): Problem[] {
  const there = live(pairs).filter(({ after }) => counts(after))
  const grows = there.some(({ before }) => before === null || !counts(before))
  return grows ? over([section], section, there.length) : []
}

const inFile = <State>(pairs: readonly Pair<State>[]) =>
  live(pairs).filter((pair): pair is Live<State> & { path: Path } => pair.path !== null)

const over = (path: Path, what: keyof typeof LIMITS, count: number): Problem[] =>
  count <= LIMITS[what] ? [] : [problem(path, `${count} ${what}, but at most ${LIMITS[what]}`, 'CONFLICT')]
