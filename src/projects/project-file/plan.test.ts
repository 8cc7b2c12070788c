import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { moreInRelease } from '../../../test/support/release'
import { fileContent } from './files.fixtures'
import { currentOf, EMPTY } from './held.fixtures'
import { applied, having, planOf, refused, shown } from './plan.fixtures'
import { writeYaml } from './write-yaml'

describe('renames', () => {
  const two = 'access: { a: { displayName: A }, b: { displayName: B } }'

  test('a rename keeps the row, and those who name it see the new name', () => {
    const current = having(
      'access: { a: { displayName: A } }\nproducts: { p: { type: CONSUMABLE, displayName: P, access: [a] } }',
    )
    const plan = planOf('access: { z: { displayName: A, was: a } }', current)
    expect(shown(plan)).toEqual(['~ access z', '    identifier: a -> z', '0 to create, 1 to change, 0 to delete.'])
    expect(applied(plan, current).access[0]?.id).toBe(current.access[0]?.id as string)
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

describe('pruning', () => {
  const full = having(`access: { pro: { displayName: P }, old: { displayName: O } }
virtualCurrencies: { gems: { name: G }, coins: { name: C } }
products: { p: { type: CONSUMABLE, displayName: P, access: [old], grants: [{ currency: coins, amount: 1, on: PURCHASE }] }, q: { type: CONSUMABLE, displayName: Q } }
offerings: { o: { packages: [{ identifier: x, product: q }] } }`)
  const idOf = (identifier: string) => full.products.find((product) => product.identifier === identifier)?.id ?? ''

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

describe('references', () => {
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

const RUNS = moreInRelease(40, 80)

describe('laws', () => {
  test('applying a file twice changes nothing, and neither does applying its export', () => {
    let refusals = 0
    const property = fc.property(fileContent, fileContent, fc.boolean(), (first, second, prune) => {
      let current = EMPTY
      for (const content of [first, second]) {
        const text = stringify(content).replace('version: 1\n', '')
        const plan = planOf(text, current, { prune })
        if (plan.problems.length > 0) return void refusals++
        current = applied(plan, current)
        expect(shown(planOf(text, current, { prune }))).toEqual(['no changes'])
        const exported = writeYaml(currentOf(current), { withIds: prune }).replace('version: 1\n', '')
        expect(shown(planOf(exported, current, { prune: true }))).toEqual(['no changes'])
        expect(writeYaml(currentOf(applied(planOf(exported), EMPTY)), { withIds: false })).toBe(
          writeYaml(currentOf(current), { withIds: false }),
        )
      }
    })
    fc.assert(property, { numRuns: RUNS })
    expect(refusals).toBeLessThan(RUNS / 2) // Otherwise the property was tested with too few files.
  }, 600_000)
})
