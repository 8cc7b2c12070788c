import { expect, test } from 'bun:test'
import { changedNames, type FigureSettings } from './settings'

type Counted = FigureSettings['products'][number]

const product = (id: string, more: Partial<Counted> = {}): Counted => ({
  ...{ id, identifier: id, iosId: null, androidId: null, paymentId: null, androidBasePlanId: null, period: 'P1M' },
  ...more,
})

const settings = (...products: Counted[]): FigureSettings => ({ commission: {}, countsUnlisted: false, products })

const GOOGLE = { androidId: 'pro' }

const cases: [name: string, before: Counted[], after: Counted[], changed: string[]][] = [
  ['nothing', [product('a')], [product('a')], []],
  [
    'a period',
    [product('a')],
    [product('a', { period: 'P1Y' })],
    ['ANDROID_STORE a', 'IOS_STORE a', 'MANUAL a', 'PAYMENT a'],
  ],
  ['another store id', [product('a')], [product('a', { iosId: 'b' })], ['IOS_STORE a', 'IOS_STORE b']],
  [
    'a store id that moves to a product of the same period',
    [product('x', { iosId: 'a' }), product('y', { iosId: 'none' })],
    [product('x', { iosId: 'none' }), product('y', { iosId: 'a' })],
    [],
  ],
  [
    'a base plan',
    [product('x', GOOGLE), product('y', { ...GOOGLE, androidBasePlanId: 'yearly', period: 'P1Y' })],
    [product('x', GOOGLE), product('y', { ...GOOGLE, androidBasePlanId: 'annual', period: 'P1Y' })],
    ['ANDROID_STORE pro:annual', 'ANDROID_STORE pro:yearly'],
  ],
  ['a product that is deleted', [product('x', { iosId: 'a', paymentId: 'b' })], [], ['IOS_STORE a', 'PAYMENT b']],
]

const NAMES = ['a', 'b', 'none', 'pro', 'pro:annual', 'pro:yearly']

const named = (['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL'] as const).flatMap((store) =>
  NAMES.map((storeProductId) => ({ store, storeProductId })),
)

for (const [name, before, after, changed] of cases)
  test(`an edit of ${name} changes the entries of these store products only`, () => {
    const isChanged = changedNames([settings(...before)], settings(...after))
    const found = named.filter(isChanged).map(({ store, storeProductId }) => `${store} ${storeProductId}`)
    expect(found.sort()).toEqual(changed)
  })

test('with several settings of before each decides', () => {
  const [month, year, now] = [settings(product('a')), settings(product('a', { period: 'P1Y' })), settings(product('a'))]
  const name = { store: 'IOS_STORE', storeProductId: 'a' } as const
  expect([[month], [year], [month, year]].map((bases) => changedNames(bases, now)(name))).toEqual([false, true, true])
})
