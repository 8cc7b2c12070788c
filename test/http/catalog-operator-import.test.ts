import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { AppError } from '../../src/base/errors'
import { MINUTE } from '../../src/base/lib/clock'
import { slice } from '../../src/base/slice'
import type { StoreCatalogItem } from '../../src/projects/catalog/hooks'
import { SLICES } from '../../src/slices'
import { type Stage, stage } from '../support/cast'
import { changes, dataOf, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

const item = (storeId: string, more: Partial<StoreCatalogItem> = {}): StoreCatalogItem => ({
  ...{ storeId, name: `Name of ${storeId}`, type: 'SUBSCRIPTION', basePlans: [], status: 'APPROVED', period: null },
  ...more,
})

let s: Stage
let dev: StaffCalls
let stores: Record<string, StoreCatalogItem[]>
const asked: unknown[] = []

const storeLists = slice({
  name: 'store-lists',
  storeCatalog: async (_ctx, projectId, store) => {
    asked.push([projectId, store])
    const listed = stores[store]
    if (!listed) throw new AppError('STORE_NOT_CONFIGURED')
    return listed
  },
})

/** The slices of the product, none of which asks a store. */
const WITHOUT_STORES = SLICES.map(({ storeCatalog: _none, ...rest }) => rest)

beforeAll(async () => {
  s = await stage({ slices: [...WITHOUT_STORES, storeLists] })
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => {
  s.ctx.clock.advance(2 * MINUTE)
  stores = {}
})
afterAll(() => s.close())

const order = (store: string, storeIds: string[]) => dev.post('/products/import', { store, storeIds })

describe('products of a store', () => {
  test('are made for the chosen ids; those already there and those not listed are skipped', async () => {
    stores = {
      ios: [
        item('com.x.new', { period: 'P1M' }),
        item('com.x.coins', { type: 'CONSUMABLE' }),
        item('com.x.other'),
        item('com.x.pro.monthly'),
        item('com.x.pass'),
      ],
    }
    const ids = ['com.x.new', 'com.x.coins', 'com.x.new', 'com.x.pro.monthly', 'com.x.gone', 'com.x.pass']
    const made = await changes(s, () => order('ios', ids), ['product.create', 'product.create'])
    expect(made).toEqual({
      created: [
        expect.objectContaining({
          identifier: 'com.x.new',
          displayName: 'Name of com.x.new',
          type: 'SUBSCRIPTION',
          storeIds: { ios: 'com.x.new', android: null, payment: null },
          revision: 1,
        }),
        expect.objectContaining({ identifier: 'com.x.coins', type: 'CONSUMABLE' }),
      ],
      skipped: [
        { storeId: 'com.x.pro.monthly', reason: 'EXISTS' },
        { storeId: 'com.x.gone', reason: 'NOT_FOUND' },
        { storeId: 'com.x.pass', reason: 'NO_PERIOD' },
      ],
      waitingPurchases: 0,
    })
    const again = await changes(s, () => order('ios', ids.slice(0, 2)), [])
    const skipped = ids.slice(0, 2).map((storeId) => ({ storeId, reason: 'EXISTS' }))
    expect(again).toEqual({ created: [], skipped, waitingPurchases: 0 })
  })

  test('of Android are made for each base plan', async () => {
    stores = {
      android: [
        item('pro', {
          basePlans: [
            { id: 'monthly', period: 'P1M' },
            { id: 'yearly', period: 'P1Y' },
          ],
        }),
      ],
    }
    await dataOf(
      dev.post('/products', {
        ...{ identifier: 'pro_month', type: 'SUBSCRIPTION', displayName: 'P' },
        ...{ storeIds: { android: 'pro' }, androidBasePlanId: 'monthly' },
      }),
    )
    const { created } = await changes(s, () => order('android', ['pro']), ['product.create'])
    expect(created).toMatchObject([
      { identifier: 'pro.yearly', androidBasePlanId: 'yearly', storeIds: { android: 'pro' }, period: 'P1Y' },
    ])
    expect((await dataOf(order('android', ['pro']))).skipped).toEqual([{ storeId: 'pro', reason: 'EXISTS' }])
  })

  test('have the period of the store, or none when it is no period of whole days', async () => {
    const periods = ['P1M', 'P2W', null, 'PT1H', 'month', '']
    stores = { payment: periods.map((period, index) => item(`com.x.period${index}`, { period })) }
    const { created } = await dataOf(
      order(
        'payment',
        periods.map((_period, index) => `com.x.period${index}`),
      ),
    )
    expect(created.map(({ period }: { period: string | null }) => period)).toEqual([
      'P1M',
      'P2W',
      null,
      null,
      null,
      null,
    ])
  })

  test('have a name that can be saved, whatever the store calls them', async () => {
    const names = [`${'n'.repeat(254)}\u{1f600}`, 'a\0b', '\ud800', '\0']
    stores = { ios: names.map((name, index) => item(`com.x.name${index}`, { name, period: 'P1M' })) }
    const { created } = await dataOf(
      order(
        'ios',
        names.map((_name, index) => `com.x.name${index}`),
      ),
    )
    const labels = created.map(({ displayName }: { displayName: string }) => displayName)
    expect(labels).toEqual(['n'.repeat(254), 'ab', '\ufffd', 'com.x.name3'])
  })

  test('get an identifier that is free and has the form of one', async () => {
    const long = `a/b ${'x'.repeat(100)}`
    stores = { payment: [item(long), item('pro_yearly'), item('ä', { name: ' ' })] }
    const { created } = await dataOf(order('payment', [long, 'pro_yearly', 'ä']))
    expect(created.map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      `a_b_${'x'.repeat(60)}`,
      'pro_yearly-2',
      '_',
    ])
    expect(created[2].displayName).toBe('ä')
  })

  test('are not made without the store, the right or a sound request', async () => {
    await refused(s, () => order('ios', ['a']), 400, 'STORE_NOT_CONFIGURED')
    const before = asked.length
    for (const body of [
      { store: 'web', storeIds: ['a'] },
      { store: 'ios', storeIds: [] },
      { store: 'ios', storeIds: [''] },
      { store: 'ios', storeIds: ['a'], all: true },
      { store: 'ios', storeIds: Array.from({ length: 201 }, (_, index) => `a${index}`) },
      { store: 'ios' },
    ])
      await refused(s, () => dev.post('/products/import', body), 400, 'VALIDATION_ERROR')
    const body = { store: 'ios', storeIds: ['a'] }
    await refused(s, () => staff(s).as('GROWTH').post('/products/import', body), 403, 'CAPABILITY_REQUIRED')
    expect(asked).toHaveLength(before)
  })

  test('are not made where no slice lists the stores', async () => {
    const own = await stage({ slices: WITHOUT_STORES })
    const call = staff(own).as('DEVELOPER')
    const body = { store: 'ios', storeIds: ['a'] }
    await refused(own, () => call.post('/products/import', body), 400, 'STORE_NOT_CONFIGURED')
    await own.close()
  })
})

describe('a project has at most', () => {
  const stamps = () => ({ projectId: s.project.id, createdAt: 0, updatedAt: 0, metadata: {} })
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}_f${String(index).padStart(25, '0')}`)

  async function fill(
    table: 'access' | 'products' | 'offerings' | 'virtualCurrencies' | 'placements' | 'flags',
    rows: object[],
  ) {
    await s.ctx.write(async (tx) => {
      for (let start = 0; start < rows.length; start += 200)
        await tx.db.insert(tx.tables[table]).values(rows.slice(start, start + 200) as never)
    })
  }

  const cases: [what: string, count: () => Promise<void>, path: string, body: object][] = [
    [
      '200 access levels',
      () =>
        fill(
          'access',
          ids('acc', 198).map((id) => ({ ...stamps(), id, identifier: id, displayName: 'A' })),
        ),
      '/access',
      { identifier: 'more', displayName: 'A' },
    ],
    [
      '2000 products',
      () =>
        fill(
          'products',
          ids('prd', 2000).map((id) => ({
            ...{ ...stamps(), id, identifier: id, type: 'CONSUMABLE', displayName: 'P', accessIds: [], isActive: true },
          })),
        ),
      '/products',
      { identifier: 'more', type: 'CONSUMABLE', displayName: 'P' },
    ],
    [
      '200 offerings',
      () =>
        fill(
          'offerings',
          ids('off', 199).map((id) => ({ ...stamps(), id, identifier: id, isDefault: false, packages: [] })),
        ),
      '/offerings',
      { identifier: 'more' },
    ],
    [
      '100 currencies that are not archived',
      () =>
        fill('virtualCurrencies', [
          ...ids('vcy', 98).map((id) => ({ ...stamps(), metadata: undefined, id, code: id, name: 'C' })),
          { ...stamps(), metadata: undefined, id: 'vcy_archived', code: 'archived', name: 'C', archivedAt: 1 },
        ]),
      '/virtual-currencies',
      { code: 'more', name: 'C' },
    ],
    [
      '200 placements',
      () =>
        fill(
          'placements',
          ids('plc', 200).map((id) => ({
            ...{
              ...stamps(),
              metadata: undefined,
              id,
              identifier: id,
              name: 'P',
              rows: [],
              isActive: false,
              revision: 1,
            },
          })),
        ),
      '/placements',
      { identifier: 'more', name: 'P', rows: [] },
    ],
    [
      '1000 flags in an environment',
      () =>
        fill(
          'flags',
          ids('flg', 1000).map((id) => ({
            ...{ ...stamps(), metadata: undefined, id, key: id, env: 'PROD', type: 'BOOLEAN' },
            ...{ isEnabled: false, defaultValue: false, rules: [] },
          })),
        ),
      '/feature-flags',
      { key: 'more', env: 'PROD', type: 'BOOLEAN', defaultValue: true },
    ],
  ]

  test.each(cases)('%s', async (_what, count, path, body) => {
    await count()
    await refused(s, () => dev.post(path, body), 409, 'CONFLICT')
  })

  test('the code of an archived currency is refused too while there are a hundred others', async () => {
    const body = { code: 'archived', name: 'C' }
    await refused(s, () => dev.post('/virtual-currencies', body), 409, 'CONFLICT')
  })
})
