import { describe, expect, test } from 'bun:test'
import { having, planOf, refused, shown } from '../../project-file/plan.fixtures'

describe('store ids', () => {
  const product = (name: string, ids: string, more = '') =>
    `  ${name}: { type: SUBSCRIPTION, displayName: N, period: P1M, storeIds: ${ids}${more} }\n`

  for (const store of ['ios', 'payment'])
    test(`an ${store} id belongs to one product`, () => {
      const current = having(`products:\n${product('a', `{ ${store}: x }`)}`)
      const held = { id: current.products[0]?.id, identifier: 'a' }
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
