import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type AccountServer, soldAs, startAccountServer } from '../support/payment-account'
import { IOS_BODY, refusalOf, type SetupStage, setupStage } from '../support/store-setup'

let s: SetupStage
let provider: AccountServer
beforeEach(async () => {
  provider = startAccountServer()
  provider.keys.set('sk_test_1', 'ALL')
  s = await setupStage({ env: { SVC_PAYMENT_API_URL: provider.url } })
})
afterEach(async () => {
  await s.close()
  await provider.close()
})

const list = (store: string, query = '') => s.as('DEVELOPER').get(`/apps/${store}/catalog${query}`)
const connectIos = () => s.as('OWNER').put('/credentials/ios', IOS_BODY)
const connectPayment = () =>
  s.as('OWNER').put('/credentials/payment', { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', mode: 'test' })

describe('what the App Store sells', () => {
  beforeEach(async () => {
    await connectIos()
    const attributes = { state: 'APPROVED' }
    s.connect.purchases = [
      { ...attributes, name: '100 coins', productId: 'coins.100', inAppPurchaseType: 'CONSUMABLE' as const },
      { ...attributes, name: 'For ever', productId: 'lifetime', inAppPurchaseType: 'NON_CONSUMABLE' as const },
      { ...attributes, name: 'Season', productId: 'season', inAppPurchaseType: 'NON_RENEWING_SUBSCRIPTION' as const },
    ].map((one, index) => ({ type: 'inAppPurchases' as const, id: `iap${index}`, attributes: one }))
    const subscription = (productId: string, subscriptionPeriod: string | null, state = 'APPROVED') => ({
      type: 'subscriptions' as const,
      id: productId,
      attributes: { name: productId, productId, state, subscriptionPeriod },
    })
    s.connect.groups.set('g1', [subscription('pro.monthly', 'ONE_MONTH'), subscription('pro.yearly', 'ONE_YEAR')])
    s.connect.groups.set('g2', [subscription('coach', null, 'MISSING_METADATA')])
  })

  test('is listed in the order of the ids, page by page of the store', async () => {
    s.connect.pageSize = 1
    const { status, body } = await list('ios')
    expect(status).toBe(200)
    const wanted = [
      ['coach', 'SUBSCRIPTION', 'MISSING_METADATA', null],
      ['coins.100', 'CONSUMABLE', 'APPROVED', null],
      ['lifetime', 'NON_CONSUMABLE', 'APPROVED', null],
      ['pro.monthly', 'SUBSCRIPTION', 'APPROVED', 'P1M'],
      ['pro.yearly', 'SUBSCRIPTION', 'APPROVED', 'P1Y'],
      ['season', 'SUBSCRIPTION', 'APPROVED', null],
    ]
    const items: { storeId: string; type: string; status: string; period: string }[] = body.data.items
    expect(items.map(({ storeId, type, status, period }) => [storeId, type, status, period]) as unknown[]).toEqual(
      wanted,
    )
    expect(body.data.items[1]).toMatchObject({ name: '100 coins', basePlans: [] })
    expect(body.data.nextCursor).toBeNull()
  })

  test('is given in pages, each product once', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data } = (await list('ios', `?limit=4${cursor}`)).body
      seen.push(...data.items.map(({ storeId }: { storeId: string }) => storeId))
      if (data.nextCursor === null) break
      cursor = `&cursor=${data.nextCursor}`
    }
    expect(seen).toEqual(['coach', 'coins.100', 'lifetime', 'pro.monthly', 'pro.yearly', 'season'])
  })

  test('a cursor of another list, and a limit that is none, are refused', async () => {
    const { nextCursor } = (await list('ios', '?limit=1')).body.data
    await connectPayment()
    for (const [store, query] of [
      ['payment', `?cursor=${nextCursor}`],
      ['ios', '?cursor=x'],
      ['ios', '?limit=0'],
      ['ios', '?limit=201'],
      ['ios', '?page=2'],
    ] as const)
      expect([query, refusalOf(await list(store, query))[1]]).toEqual([query, 'VALIDATION_ERROR'])
  })

  test.each<[name: string, trouble: object, refusal: unknown[]]>([
    ['the key was revoked', { status: 401 }, [502, 'STORE_API_ERROR']],
    ['the store is away', { status: 500 }, [503, 'STORE_UNAVAILABLE']],
    ['the store is away for the groups', { status: 500, asked: /Groups/ }, [503, 'STORE_UNAVAILABLE']],
    ['an answer that cannot be read', { status: 200, text: '{"data":[{}]}', asked: /inApp/ }, [502, 'STORE_API_ERROR']],
  ])('%s', async (_name, trouble, refusal) => {
    s.connect.trouble = trouble as never
    expect(refusalOf(await list('ios'))).toEqual(refusal)
  })

  test('the key goes to no other host, whatever the next page is said to be', async () => {
    const asked: string[] = []
    const stranger = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        asked.push(request.url)
        return new Response('{}')
      },
    })
    const next = `http://127.0.0.1:${stranger.port}/v1/apps?cursor=9`
    s.connect.trouble = { status: 200, text: JSON.stringify({ data: [], links: { next } }), asked: /inApp/ }
    await list('ios')
    expect(asked).toEqual([])
    await stranger.stop(true)
  })
})

describe('what the payment account sells', () => {
  test('is listed with names, periods and what is archived', async () => {
    await connectPayment()
    provider.prices = [
      soldAs('price_m', 'Pro', { interval: 'month', nickname: 'monthly' }),
      soldAs('price_q', 'Pro', { interval: 'month', count: 3, active: false }),
      soldAs('price_one', 'Lifetime'),
    ]
    const view = { basePlans: [] }
    expect((await list('payment')).body.data.items).toEqual([
      { ...view, storeId: 'price_m', name: 'Pro, monthly', type: 'SUBSCRIPTION', status: 'ACTIVE', period: 'P1M' },
      { ...view, storeId: 'price_one', name: 'Lifetime', type: 'ONE_TIME', status: 'ACTIVE', period: null },
      { ...view, storeId: 'price_q', name: 'Pro', type: 'SUBSCRIPTION', status: 'ARCHIVED', period: 'P3M' },
    ])
  })

  test('is read to the end', async () => {
    await connectPayment()
    provider.prices = Array.from({ length: 230 }, (_, index) => soldAs(`price_${1000 + index}`, 'Pro'))
    const first = (await list('payment', '?limit=200')).body.data
    const second = (await list('payment', `?limit=200&cursor=${first.nextCursor}`)).body.data
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([200, 30, null])
  })

  test.each<[name: string, status: number, text: string | undefined, refusal: unknown[]]>([
    ['the key was revoked', 401, undefined, [502, 'STORE_API_ERROR']],
    ['the provider is away', 500, undefined, [503, 'STORE_UNAVAILABLE']],
    ['an answer that cannot be read', 200, '{"data":1}', [502, 'STORE_API_ERROR']],
  ])('%s', async (_name, status, text, refusal) => {
    await connectPayment()
    provider.trouble = { status, ...(text !== undefined && { text }) }
    expect(refusalOf(await list('payment'))).toEqual(refusal)
  })
})

describe('refusals before any call', () => {
  test('without credentials', async () => {
    for (const store of ['ios', 'payment']) expect(refusalOf(await list(store))).toEqual([400, 'STORE_NOT_CONFIGURED'])
    await s.as('OWNER').put('/credentials/ios', { ...IOS_BODY, storeConnectKey: undefined })
    s.connect.requests.length = 0
    expect(refusalOf(await list('ios'))).toEqual([400, 'STORE_NOT_CONFIGURED'])
    expect([...provider.requests, ...s.connect.requests]).toEqual([])
  })

  test('a store that does not exist, and who may not', async () => {
    for (const store of ['windows', 'IOS', 'ios%20']) expect(refusalOf(await list(store))).toEqual([404, 'NOT_FOUND'])
    for (const role of ['GROWTH', 'CUSTOMER_SUPPORT'] as const)
      expect(refusalOf(await s.as(role).get('/apps/ios/catalog'))[1]).toBe('ROLE_REQUIRED')
    expect(refusalOf(await s.as('STRANGER').get('/apps/ios/catalog'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('importing', () => {
  const take = (store: string, storeIds: string[]) => s.as('DEVELOPER').post('/products/import', { store, storeIds })

  test('makes products of what the payment account sells, and skips what it does not', async () => {
    await connectPayment()
    provider.prices = [soldAs('price_m', 'Pro', { interval: 'month' }), soldAs('price_one', 'Lifetime')]
    const { body } = await take('payment', ['price_m', 'price_one', 'price_none'])
    const created: { displayName: string; type: string; storeIds: object; period: unknown }[] = body.data.created
    expect(created.map(({ displayName, type, storeIds, period }) => [displayName, type, storeIds, period])).toEqual([
      ['Pro', 'SUBSCRIPTION', { ios: null, android: null, payment: 'price_m' }, 'P1M'],
      ['Lifetime', 'NON_CONSUMABLE', { ios: null, android: null, payment: 'price_one' }, null],
    ])
    expect(body.data.skipped).toEqual([{ storeId: 'price_none', reason: 'NOT_FOUND' }])
  })

  test('of the App Store takes the period of a subscription', async () => {
    await connectIos()
    const attributes = { name: 'Pro', productId: 'pro.monthly', state: 'APPROVED', subscriptionPeriod: 'ONE_MONTH' }
    s.connect.groups.set('g1', [{ type: 'subscriptions', id: 'pro.monthly', attributes }])
    const { created } = (await take('ios', ['pro.monthly'])).body.data
    expect(created).toMatchObject([{ displayName: 'Pro', type: 'SUBSCRIPTION', period: 'P1M' }])
  })

  test('takes nothing while the store is away, or answers what cannot be used', async () => {
    await connectIos()
    s.connect.trouble = { status: 401 }
    expect(refusalOf(await take('ios', ['coins.100']))).toEqual([502, 'STORE_API_ERROR'])
    s.connect.trouble = { status: 500 }
    expect(refusalOf(await take('ios', ['coins.100']))).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(refusalOf(await take('payment', ['price_m']))).toEqual([400, 'STORE_NOT_CONFIGURED'])
  })

  test('a price of a product must be one of the account', async () => {
    await connectPayment()
    provider.prices = [soldAs('price_m', 'Pro')]
    const product = (payment: string) => ({
      identifier: `web_${payment}`,
      type: 'NON_CONSUMABLE',
      displayName: 'Web',
      storeIds: { payment },
    })
    const make = (payment: string) => s.as('DEVELOPER').post('/products', product(payment))
    expect(refusalOf(await make('price_gone'))).toEqual([400, 'PAYMENT_PRICE_NOT_FOUND'])
    expect((await make('price_m')).status).toBe(201)
    provider.trouble = { status: 500 }
    expect(refusalOf(await make('price_x'))).toEqual([503, 'STORE_UNAVAILABLE'])
    provider.trouble = { status: 403 }
    expect(refusalOf(await make('price_x'))).toEqual([502, 'STORE_API_ERROR'])
    const [made] = (await s.as('DEVELOPER').get('/products?limit=1')).body.data.items
    const change = s.as('DEVELOPER').patch(`/products/${made.id}`, { storeIds: { payment: 'price_x' } })
    expect(refusalOf(await change)).toEqual([502, 'STORE_API_ERROR'])
  })
})
