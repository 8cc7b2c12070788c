import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CustomerInfo, ErrorCode, type Purchases as Sdk } from '@revenuecat/purchases-js'
import { createServedApp } from '../../src/served-app'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { ANONYMOUS, sdk, setSdkDoor } from '../support/former-sdk'

/** The former vendor's own package for the web, against a server that listens. */
let s: Stage
let Purchases: typeof Sdk
let proxyURL: string
let stop: () => void
const asked: string[] = []

beforeAll(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true, testStore: true })
  const app = createServedApp(s.ctx)
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return app.fetch(request)
    },
  })
  proxyURL = `http://127.0.0.1:${server.port}`
  stop = () => void server.stop(true)
  Purchases = (await import('@revenuecat/purchases-js')).Purchases
})
afterAll(async () => {
  stop()
  await s.close()
})

function configure(appUserId: string, apiKey = `test_${s.project.publicKey}`): Sdk {
  const flags = { collectAnalyticsEvents: false }
  return Purchases.configure({ apiKey, appUserId, httpConfig: { proxyURL }, flags })
}

const active = ({ entitlements }: CustomerInfo): string[] => Object.keys(entitlements.active).sort()

/** The simulated purchase, which the package offers to tests without a window. */
async function buy(purchases: Sdk, identifier: string) {
  const { current } = await purchases.getOfferings()
  const product = current?.availablePackages.find((one) => one.webBillingProduct.identifier === identifier)
  if (!product) throw new Error(`no package with ${identifier}`)
  const { _postSimulatedStoreReceipt: post } = purchases as unknown as {
    _postSimulatedStoreReceipt(bought: unknown): Promise<{ customerInfo: CustomerInfo }>
  } // A public method that its types leave out.
  return (await post.call(purchases, product.webBillingProduct)).customerInfo
}

test('reads a person, offerings and prices', async () => {
  const purchases = configure('ada')
  const info = await purchases.getCustomerInfo()
  expect([info.originalAppUserId, active(info)]).toEqual(['ada', []])
  const { current, all } = await purchases.getOfferings()
  expect([current?.identifier, Object.keys(all)]).toEqual(['standard', ['standard']])
  expect(current?.monthly?.webBillingProduct).toMatchObject({
    ...{ identifier: 'pro_monthly', normalPeriodDuration: 'P1M' },
    price: { amountMicros: 9_990_000, currency: 'USD' },
  })
  expect(current?.annual?.webBillingProduct.identifier).toBe('pro_yearly')
})

test('buys at the test store', async () => {
  const purchases = configure('bo')
  const info = await buy(purchases, 'pro_monthly')
  expect(active(info)).toEqual(['pro'])
  expect(info.subscriptionsByProductIdentifier.pro_monthly).toMatchObject({
    store: 'test_store',
    willRenew: true,
    isActive: true,
  })
  expect(await purchases.isEntitledTo('pro')).toBe(true)
  expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
})

test('saves attributes, and reads the currencies', async () => {
  const purchases = configure('cy')
  await purchases.setAttributes({ plan: 'gold', $email: 'cy@example.com' })
  const { all } = await purchases.getVirtualCurrencies()
  expect(all.coins).toMatchObject({ balance: 0, code: 'coins', name: 'Coins' })
})

test('logs in and takes the purchases of the anonymous person along', async () => {
  const purchases = configure(ANONYMOUS)
  await buy(purchases, 'pro_yearly')
  const first = await purchases.identifyUser('dora')
  expect([first.wasCreated, active(first.customerInfo)]).toEqual([true, ['coach', 'pro']])
  const second = configure(`$RCAnonymousID:${'a'.repeat(32)}`)
  expect((await second.identifyUser('dora')).wasCreated).toBe(false)
  expect((await second.changeUser('ada')).originalAppUserId).toBe('ada')
})

test('reads what a phone has bought', async () => {
  const body = { app_user_id: 'emil', fetch_token: s.sign(s.buy(MONTHLY)) }
  await sdk(s, 'ios').post('/v1/receipts', body)
  const info = await configure('emil', `rcb_${s.project.publicKey}`).getCustomerInfo()
  expect(active(info)).toEqual(['pro'])
  expect(info.entitlements.active.pro).toMatchObject({ store: 'app_store', willRenew: true, periodType: 'normal' })
})

test('turns refusals into its own errors', async () => {
  const code = async (work: Promise<unknown>) => {
    try {
      await work
      return null
    } catch (error) {
      return (error as { errorCode?: unknown }).errorCode // Its own error class.
    }
  }
  const unknown = configure('ada', `rcb_svc_pub_${'9'.repeat(32)}`)
  expect(await code(unknown.getCustomerInfo())).toBe(ErrorCode.InvalidCredentialsError)
  const { products } = s.ctx.tables
  expect(await s.ctx.db.select().from(products)).not.toEqual([])
})

test('calls nothing but the paths that the guide lists', () => {
  const shapes = new Set(asked.map((line) => line.replace(/subscribers\/(?!identify)[^/]+/, 'subscribers/ID')))
  expect([...shapes].sort()).toEqual([
    'GET /rcbilling/v1/subscribers/ID/products',
    'GET /v1/subscribers/ID',
    'GET /v1/subscribers/ID/offerings',
    'GET /v1/subscribers/ID/virtual_currencies',
    'POST /v1/receipts',
    'POST /v1/subscribers/ID/attributes',
    'POST /v1/subscribers/identify',
  ])
})
