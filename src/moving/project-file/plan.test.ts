import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { createIds } from '../../base/lib/ids'
import type { FunnelChange, SavedFunnel } from '../../funnels/publication/service'
import type { CatalogRows } from '../../projects/catalog/snapshot'
import { changesOf } from './changes'
import type { Current } from './current'
import { formatDiff } from './diff'
import { fileContent } from './files.fixtures'
import { parseProjectFile } from './parse'
import { type Plan, type PlanFacts, planProjectFile } from './plan'
import { rowsOf } from './rows'
import { targetingRowsOf } from './rows-targeting'
import { writeYaml } from './write-yaml'

const NOW = 1_000
let count = 0
const ids = createIds(
  () => NOW,
  (length) => Uint8Array.from({ length }, () => (count = (count + 1) % 251)),
)

const EMPTY: Current = {
  project: {
    id: 'prj_1',
    slug: 'sleep-app',
    name: 'Sleep App',
    timezone: 'UTC',
    allowedOrigins: [],
    termsUrl: null,
    privacyUrl: null,
    settings: {},
    configVersion: 1,
    suspendedAt: null,
    deletedAt: null,
    createdAt: 0,
    updatedAt: 0,
  },
  catalog: { products: [], access: [], offerings: [], currencies: [], grants: [] },
  targeting: {
    audiences: [{ id: 'aud_all', name: 'All users', description: null, rules: {}, isDefault: true }],
    flags: [],
    experiments: [],
    funnels: [],
    placements: [],
  },
  stores: new Map(),
}

const FACTS: PlanFacts = { prune: false, hasVault: true, isSlugTaken: false, soldProductIds: new Set(), now: 0 }

function planOf(text: string, current: Current = EMPTY, facts: Partial<PlanFacts> = {}): Plan {
  const parsed = parseProjectFile(`version: 1\n${text}`, { env: () => null, file: () => null })
  if ('unreadable' in parsed || parsed.problems.length > 0) throw new Error(`${text}\n${JSON.stringify(parsed)}`)
  return planProjectFile(parsed.file, current, { ...FACTS, ...facts })
}

/** What the database holds after a plan was written. */
function applied(plan: Plan, current: Current): Current {
  const { changes, catalog: identified } = rowsOf(plan.catalog, current.catalog, ids, NOW)
  const merge = <Row extends { id: string }>(
    rows: readonly Row[],
    {
      created,
      updated,
      deletedIds,
    }: { created: readonly Row[]; updated: readonly Row[]; deletedIds: readonly string[] },
  ) => {
    const gone = new Set([...deletedIds, ...updated.map(({ id }) => id)])
    return [...rows.filter(({ id }) => !gone.has(id)), ...updated, ...created]
  }
  const rewritten = new Set([...changes.products.updated.map(({ id }) => id), ...changes.products.deletedIds])
  const catalog: CatalogRows = {
    access: merge(current.catalog.access, changes.access),
    currencies: merge(current.catalog.currencies, changes.currencies),
    products: merge(current.catalog.products, changes.products),
    offerings: merge(current.catalog.offerings, changes.offerings),
    grants: [...current.catalog.grants.filter(({ productId }) => !rewritten.has(productId)), ...changes.grants],
  }
  const targets = targetingRowsOf(plan.targeting, current.targeting, identified.offerings, ids, NOW).changes
  const { created, updated, deletedIds } = targets.funnels
  const written = (changes: readonly FunnelChange[]) => changes.map((change) => funnelAfter(change, current))
  const targeting = {
    audiences: merge(current.targeting.audiences, targets.audiences),
    flags: merge(current.targeting.flags, targets.flags),
    experiments: merge(current.targeting.experiments, targets.experiments),
    funnels: merge(current.targeting.funnels, { created: written(created), updated: written(updated), deletedIds }),
    placements: merge(current.targeting.placements, targets.placements),
  }
  return { ...current, catalog, targeting }
}

function funnelAfter({ isPublished, ...change }: FunnelChange, { targeting }: Current): SavedFunnel {
  const saved = targeting.funnels.find(({ id }) => id === change.id)
  const stamps = { projectId: 'prj_1', createdAt: NOW, updatedAt: NOW }
  const row = { status: 'DRAFT' as const, currentVersionNo: null, published: null, ...stamps, ...saved, ...change }
  if (!isPublished) return row
  const published = { ...change.draft, configFormatVersion: 1 }
  return { ...row, status: 'PUBLISHED', currentVersionNo: (saved?.currentVersionNo ?? 0) + 1, published }
}

const having = (text: string, current: Current = EMPTY): Current => applied(planOf(text, current), current)
const shown = (plan: Plan): string[] => formatDiff(changesOf(plan), plan.keptSecrets)
const refused = (plan: Plan) => plan.problems.map(({ code, details, path }) => [code, path.join('.'), details])

describe('renames', () => {
  const two = 'access: { a: { displayName: A }, b: { displayName: B } }'

  test('a rename keeps the row, and those who name it see the new name', () => {
    const current = having(
      'access: { a: { displayName: A } }\nproducts: { p: { type: CONSUMABLE, displayName: P, access: [a] } }',
    )
    const plan = planOf('access: { z: { displayName: A, was: a } }', current)
    expect(shown(plan)).toEqual(['~ access z', '    identifier: a -> z', '0 to create, 1 to change, 0 to delete.'])
    expect(applied(plan, current).catalog.access[0]?.id).toBe(current.catalog.access[0]?.id as string)
  })

  test('a rename that is done says nothing more', () => {
    const file = 'access: { z: { displayName: A, was: a } }'
    const current = having(file, having('access: { a: { displayName: A } }'))
    expect(shown(planOf(file, current))).toEqual(['no changes'])
    expect(shown(planOf(file))).toEqual(['+ access z', '1 to create, 0 to change, 0 to delete.'])
  })

  test('a name that is there already is taken', () => {
    const details = { resource: 'access', identifier: 'b' }
    expect(refused(planOf('access: { b: { displayName: B, was: a } }', having(two)))).toEqual([
      ['IDENTIFIER_TAKEN', 'access.b.was', details],
    ])
  })

  test('names can move along a chain, again and again', () => {
    const file = 'access: { c: { displayName: B, was: b }, b: { displayName: A, was: a } }'
    const plan = planOf(file, having(two))
    expect(shown(plan)).toEqual([
      '~ access c',
      '    identifier: b -> c',
      '~ access b',
      '    identifier: a -> b',
      '0 to create, 2 to change, 0 to delete.',
    ])
    expect(shown(planOf(file, applied(plan, having(two))))).toEqual(['no changes'])
  })

  test('two names cannot change places by renaming, and the file stays repeatable', () => {
    const file = 'access: { a: { displayName: A, was: b }, b: { displayName: B, was: a } }'
    expect(shown(planOf(file, having(two)))).toEqual(['no changes'])
  })

  test('an old name can be given to a new object at once', () => {
    const file = 'access: { z: { displayName: A, was: a }, a: { displayName: New } }'
    const current = having('access: { a: { displayName: A } }')
    const plan = planOf(file, current)
    expect(shown(plan)).toEqual([
      '~ access z',
      '    identifier: a -> z',
      '+ access a',
      '1 to create, 1 to change, 0 to delete.',
    ])
    expect(shown(planOf(file, applied(plan, current)))).toEqual(['no changes'])
  })

  test('a project is renamed only when the file says what it was', () => {
    expect(refused(planOf('project: { slug: other }'))).toEqual([['VALIDATION_ERROR', 'project.slug', null]])
    expect(shown(planOf('project: { slug: other, was: sleep-app }'))).toContain('    slug: sleep-app -> other')
    expect(refused(planOf('project: { slug: other, was: sleep-app }', EMPTY, { isSlugTaken: true }))).toEqual([
      ['CONFLICT', 'project.slug', null],
    ])
  })
})

describe('the default offering', () => {
  const defaults = (plan: Plan) =>
    plan.catalog.offerings.filter(({ after }) => after?.isDefault).map(({ name }) => name)
  const marked = having('offerings: { a: {}, b: { isDefault: true } }')

  const cases: [fact: string, text: string, current: Current, prune: boolean, expected: string[]][] = [
    [
      'a mark moves, also away from an offering that the file leaves alone',
      'offerings: { a: { isDefault: true } }',
      marked,
      false,
      ['a'],
    ],
    ['without a mark the present default stays', 'offerings: { a: {}, b: {} }', marked, false, ['b']],
    [
      'without any default the one called default becomes it',
      'offerings: { a: {}, default: {} }',
      EMPTY,
      false,
      ['default'],
    ],
    ['else the first by identifier', 'offerings: { c: {}, b: {} }', EMPTY, false, ['b']],
    ['a pruned default hands the mark on', 'offerings: { a: {}, c: {} }', marked, true, ['a']],
    ['no offering, no default', 'offerings: {}', marked, true, []],
  ]
  for (const [fact, text, current, prune, expected] of cases)
    test(fact, () => expect(defaults(planOf(text, current, { prune }))).toEqual(expected))

  test('a second mark is refused', () => {
    expect(refused(planOf('offerings: { a: { isDefault: true }, b: { isDefault: true } }'))).toEqual([
      ['VALIDATION_ERROR', 'offerings.b.isDefault', null],
    ])
  })
})

describe('pruning', () => {
  const full = having(`access: { pro: { displayName: P }, old: { displayName: O } }
virtualCurrencies: { gems: { name: G }, coins: { name: C } }
products: { p: { type: CONSUMABLE, displayName: P, access: [old], grants: [{ currency: coins, amount: 1, on: PURCHASE }] }, q: { type: CONSUMABLE, displayName: Q } }
offerings: { o: { packages: [{ identifier: x, product: q }] } }`)
  const idOf = (identifier: string) =>
    full.catalog.products.find((product) => product.identifier === identifier)?.id ?? ''

  test('nothing is deleted without being asked to', () => {
    expect(shown(planOf('access: {}\nproducts: {}\nofferings: {}', full))).toEqual(['no changes'])
  })

  test('only sections of the file are pruned; currencies are archived, sold products set inactive', () => {
    const plan = planOf('virtualCurrencies: {}\nproducts: {}\nofferings: {}', full, {
      prune: true,
      soldProductIds: new Set([idOf('q')]),
    })
    expect(plan.problems).toEqual([])
    expect(shown(plan)).toEqual([
      '~ virtualCurrency coins           (--prune)',
      '    isArchived: false -> true',
      '~ virtualCurrency gems            (--prune)',
      '    isArchived: false -> true',
      '- product p                       (--prune)',
      '~ product q                       (--prune)',
      '    isActive: true -> false',
      '- offering o                      (--prune)',
      '0 to create, 3 to change, 2 to delete.',
    ])
    expect(
      shown(
        planOf('virtualCurrencies: {}\nproducts: {}\nofferings: {}', applied(plan, full), {
          prune: true,
          soldProductIds: new Set([idOf('q')]),
        }),
      ),
    ).toEqual(['no changes'])
  })

  test('what an object outside of the file uses is not pruned', () => {
    expect(refused(planOf('access: { pro: { displayName: P } }', full, { prune: true }))).toEqual([
      ['CONFLICT', 'access', null],
    ])
    expect(refused(planOf('virtualCurrencies: {}', full, { prune: true }))).toEqual([
      ['CONFLICT', 'virtualCurrencies', null],
    ])
    expect(refused(planOf('products: { p: { type: CONSUMABLE, displayName: P } }', full, { prune: true }))).toEqual([
      ['CONFLICT', 'products', null],
    ])
  })

  test('what the file prunes it cannot name', () => {
    const text = 'access: {}\nproducts: { p: { type: CONSUMABLE, displayName: P, access: [old] } }'
    expect(refused(planOf(text, full, { prune: true }))).toContainEqual([
      'UNKNOWN_REFERENCES',
      'products.p.access.0',
      { resource: 'access', ids: ['old'] },
    ])
  })

  test('an archived currency that the file names again comes back', () => {
    const gone = applied(planOf('virtualCurrencies: { coins: { name: C } }', full, { prune: true }), full)
    expect(shown(planOf('virtualCurrencies: { gems: { name: G } }', gone))).toContain('    isArchived: true -> false')
  })
})

describe('references and store ids', () => {
  test('unknown references name every name, at every place', () => {
    const plan = planOf(
      'products: { p: { type: CONSUMABLE, displayName: P, access: [x, y] }, q: { type: CONSUMABLE, displayName: Q, access: [x] } }\nofferings: { o: { packages: [{ identifier: i, product: z }] } }',
    )
    expect(refused(plan)).toEqual([
      ['UNKNOWN_REFERENCES', 'products.p.access.0', { resource: 'access', ids: ['x', 'y'] }],
      ['UNKNOWN_REFERENCES', 'products.p.access.1', { resource: 'access', ids: ['x', 'y'] }],
      ['UNKNOWN_REFERENCES', 'products.q.access.0', { resource: 'access', ids: ['x', 'y'] }],
      ['UNKNOWN_REFERENCES', 'offerings.o.packages.0.product', { resource: 'product', ids: ['z'] }],
    ])
  })

  test('what is saved can be named without standing in the file', () => {
    const current = having('access: { pro: { displayName: P } }')
    expect(planOf('products: { p: { type: CONSUMABLE, displayName: P, access: [pro] } }', current).problems).toEqual([])
  })

  const product = (name: string, ids: string, more = '') =>
    `  ${name}: { type: SUBSCRIPTION, displayName: N, storeIds: ${ids}${more} }\n`

  for (const store of ['ios', 'payment'])
    test(`an ${store} id belongs to one product`, () => {
      const current = having(`products:\n${product('a', `{ ${store}: x }`)}`)
      const held = { id: current.catalog.products[0]?.id, identifier: 'a' }
      const details = { store, storeId: 'x', product: held }
      expect(refused(planOf(`products:\n${product('b', `{ ${store}: x }`)}`, current))).toEqual([
        ['STORE_ID_TAKEN', `products.b.storeIds.${store}`, details],
      ])
    })

  test('an Android id may serve several base plans, each once', () => {
    const plans = (second: string) =>
      `products:\n${product('a', '{ android: x }', ', androidBasePlanId: monthly')}${product('b', '{ android: x }', second)}`
    expect(planOf(plans(', androidBasePlanId: yearly')).problems).toEqual([])
    expect(refused(planOf(plans(', androidBasePlanId: monthly')))).toEqual([
      [
        'STORE_ID_TAKEN',
        'products.b.storeIds.android',
        { store: 'android', storeId: 'x', product: { id: null, identifier: 'a' } },
      ],
    ])
  })

  test('store ids can change places within one file', () => {
    const before = `products:\n${product('a', '{ ios: x }')}${product('b', '{ ios: y }')}`
    const after = `products:\n${product('a', '{ ios: y }')}${product('b', '{ ios: x }')}`
    const plan = planOf(after, having(before))
    expect(plan.problems).toEqual([])
    expect(shown(plan)).toEqual([
      '~ product a',
      '    storeIds.ios: x -> y',
      '~ product b',
      '    storeIds.ios: y -> x',
      '0 to create, 2 to change, 0 to delete.',
    ])
  })
})

describe('limits', () => {
  const many = (count: number, body: string) =>
    Array.from({ length: count }, (_, index) => `  n${index}: ${body}`).join('\n')
  const cases: [section: string, limit: number, body: string][] = [
    ['access', 200, '{ displayName: A }'],
    ['virtualCurrencies', 100, '{ name: A }'],
    ['products', 2000, '{ type: CONSUMABLE, displayName: A }'],
    ['offerings', 200, '{}'],
  ]
  for (const [section, limit, body] of cases)
    test(`at most ${limit} ${section}`, () => {
      expect(planOf(`${section}:\n${many(limit, body)}`).problems).toEqual([])
      expect(refused(planOf(`${section}:\n${many(limit + 1, body)}`))).toEqual([['CONFLICT', section, null]])
    })

  test('at most 20 grants of a product and 50 packages of an offering', () => {
    const list = (size: number, item: (index: number) => string) =>
      Array.from({ length: size }, (_, index) => item(index)).join(', ')
    const file = (size: number) => `virtualCurrencies:\n${many(60, '{ name: C }')}
products: { p: { type: CONSUMABLE, displayName: P, grants: [${list(size === 20 ? 20 : 21, (n) => `{ currency: n${n}, amount: 1, on: PURCHASE }`)}] } }
offerings: { o: { packages: [${list(size === 20 ? 50 : 51, (n) => `{ identifier: i${n}, product: p }`)}] } }`
    expect(planOf(file(20)).problems).toEqual([])
    expect(refused(planOf(file(21)))).toEqual([
      ['CONFLICT', 'products.p.grants', null],
      ['CONFLICT', 'offerings.o.packages', null],
    ])
  })
})

const RUNS = 80

describe('laws', () => {
  test('applying a file twice changes nothing, and neither does applying its export', () => {
    let refusals = 0
    const law = fc.property(fileContent, fileContent, fc.boolean(), (first, second, prune) => {
      let current = EMPTY
      for (const content of [first, second]) {
        const text = stringify(content).replace('version: 1\n', '')
        const plan = planOf(text, current, { prune })
        if (plan.problems.length > 0) return void refusals++
        current = applied(plan, current)
        expect(shown(planOf(text, current, { prune }))).toEqual(['no changes'])
        const exported = writeYaml(current, { withIds: prune }).replace('version: 1\n', '')
        expect(shown(planOf(exported, current, { prune: true }))).toEqual(['no changes'])
        expect(writeYaml(applied(planOf(exported), EMPTY), { withIds: false })).toBe(
          writeYaml(current, { withIds: false }),
        )
      }
    })
    fc.assert(law, { numRuns: RUNS })
    expect(refusals).toBeLessThan(RUNS / 2) // Otherwise the law would have said little.
  }, 120_000)
})
