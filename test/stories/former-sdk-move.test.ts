import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { importSteps } from '../../src/moving/imports/steps'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { MONTHLY } from '../support/cast'
import { orderArgs, runCompare } from '../support/compare-command'
import { renew } from '../support/facts'
import { sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { decodeAndroidPerson, decodeOfferings } from '../support/former-sdk-decoders'
import { type ImportStage, importSample, importStage } from '../support/import-stage'
import { deliver, notificationBody } from '../support/notify'
import { type OldVendor, seconds, startOldVendor } from '../support/old-vendor'
import { type Receiver, startReceiver } from '../support/receiver'
import { expectTaken } from '../support/story'

/**
 * An app moves from the former vendor without a new SDK: its history is imported, notifications are forwarded, the app
 * gets one changed line, nothing differs, and the former vendor is switched off. Each test continues the one before.
 */
const OLD_KEY = 'appl_OfTheFormerVendor'
const OLD_ANDROID_KEY = 'goog_OfTheFormerVendor'

let s: AndroidStage
let i: ImportStage
let vendor: OldVendor
let vendorWebhook: Receiver
let ada: TransactionPayload
let bo: TransactionPayload

beforeAll(async () => {
  s = await androidStage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1', SVC_RATE_USER: '0', SVC_RATE_IP: '0' } })
  i = importStage(s)
  s.ctx.state.importSteps = importSteps
  vendor = startOldVendor(() => s.ctx.clock.now())
  vendorWebhook = startReceiver()
  // Both bought while only the former vendor heard of it; Bo left after a month.
  bo = s.buy(MONTHLY)
  s.ctx.clock.advance(40 * DAY)
  ada = s.buy(MONTHLY)
  s.ctx.clock.advance(5 * DAY)
  knows('bo', bo)
  knows('ada', ada)
})
afterAll(async () => {
  await vendorWebhook.close()
  await s.close()
})

/** What the former vendor answers about a person with this transaction. */
function knows(
  name: string,
  { transactionId, productId, purchaseDate, originalPurchaseDate, expiresDate = 0 }: TransactionPayload,
) {
  const period = { purchase_date: seconds(purchaseDate), expires_date: seconds(expiresDate) }
  const ends = { ...period, grace_period_expires_date: null }
  const subscription = {
    ...{ ...ends, original_purchase_date: seconds(originalPurchaseDate), period_type: 'normal', store: 'app_store' },
    ...{ is_sandbox: true, unsubscribe_detected_at: null, billing_issues_detected_at: null, refunded_at: null },
    ...{ ownership_type: 'PURCHASED', store_transaction_id: transactionId, price: { amount: 9.99, currency: 'USD' } },
  }
  vendor.people.set(name, {
    ...{ original_app_user_id: name, first_seen: seconds(originalPurchaseDate) },
    entitlements: { pro: { ...ends, product_identifier: productId } },
    subscriptions: { [productId]: subscription },
  })
}

const text = (at = 0) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

const row = (user: string, one: TransactionPayload): Record<string, string> => ({
  ...{ rc_original_app_user_id: user, rc_last_seen_app_user_id_alias: user, store: 'app_store', is_sandbox: 'true' },
  ...{ start_time: text(one.purchaseDate), end_time: text(one.expiresDate), effective_end_time: text(one.expiresDate) },
  ...{ is_auto_renewable: 'true', is_trial_period: 'false', is_in_intro_offer_period: 'false' },
  ...{ ownership_type: 'PURCHASED', purchased_currency: 'USD', purchase_price_in_purchased_currency: '9.99' },
  ...{ store_transaction_id: one.transactionId, original_store_transaction_id: one.originalTransactionId },
  ...{ product_identifier: one.productId, renewal_number: '1', first_seen_time: text(one.originalPurchaseDate) },
  updated_at: text(one.purchaseDate),
})

async function historyThere(): Promise<string> {
  const [header = ''] = (await Bun.file(importSample('revenuecat_v5.csv')).text()).split('\n')
  const lines = [row('ada', ada), row('bo', bo)].map((one) => header.split(',').map((name) => one[name] ?? ''))
  return [header, ...lines.map((cells) => cells.join(',')), ''].join('\n')
}

async function act(id: string, action: string) {
  s.ctx.clock.advance(MINUTE + 1)
  expect((await i.act(id, action)).status).toBe(202)
  return i.worked(id)
}

const app = (key = OLD_KEY) => {
  const { person, get, post } = sdk(s, 'ios')
  return {
    open: (id: string) => person(id, { key }),
    offerings: (id: string) => get(`/v1/subscribers/${id}/offerings`, { key }),
    receipt: (id: string, one: TransactionPayload, more: object = {}) =>
      post('/v1/receipts', { app_user_id: id, fetch_token: s.sign(one), product_id: one.productId, ...more }, { key }),
  }
}

const OLD_KEYS = [
  { key: OLD_KEY, platform: 'ios' },
  { key: OLD_ANDROID_KEY, platform: 'android' },
]

/** What an Android app sends when it restores the purchase of a person. */
const restoreOnAndroid = (id: string, token: string) =>
  sdk(s, 'android').post(
    '/v1/receipts',
    {
      ...{ app_user_id: id, fetch_token: token, is_restore: true, product_ids: ['pro'] },
      platform_product_ids: [{ product_id: 'pro', base_plan_id: 'monthly', offer_id: null }],
    },
    { key: OLD_ANDROID_KEY },
  )

const accessOf = ({ body }: Awaited<ReturnType<ReturnType<typeof app>['open']>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body.subscriber.entitlements as Record<string, { expires_date: string }>).map(([name, one]) => [
      name,
      one.expires_date,
    ]),
  )

const lines = async () => (await s.ctx.db.select().from(s.ctx.tables.transactions)).length
const hashes = () => vendorWebhook.received.map(({ body }) => sha256Hex(body))
let renewed: TransactionPayload

test('before anything is switched, the phone is refused and keeps its purchase', async () => {
  expect(sdkRefusal(await app().open('ada'))).toEqual([401, 7225])
  const { status, headers } = await app().receipt('ada', ada)
  expect([status, headers.has('retry-after')]).toEqual([503, true])
})

test('the history is imported', async () => {
  const sent = await i.make(await historyThere(), { fileName: 'export.csv' })
  expect(sent.preset).toBe('revenuecat_v5')
  const mapped = await i.team.as('ADMIN').patch(`/imports/${sent.id}/mapping`, {
    columns: { ...sent.mapping.columns, subscriberExternalId: 'rc_original_app_user_id' },
    options: { skipSandbox: false },
  })
  expect(mapped.status).toBe(200)
  await act(sent.id, 'dry-run')
  expect(await act(sent.id, 'commit')).toMatchObject({
    ...{ status: 'COMPLETED', counters: { subscribersNew: 2, purchasesNew: 2, remaining: 0 } },
  })
})

test('notifications come here and are forwarded byte for byte, so that both hear of a renewal', async () => {
  const url = `${vendorWebhook.url}/apple`
  const { status } = await i.team.as('ADMIN').post('/notification-forwards', { store: 'IOS_STORE', url })
  expect(status).toBe(201)
  s.ctx.clock.advance(25 * DAY)
  renewed = renew(s, ada, MONTHLY)
  const body = notificationBody(s, ['DID_RENEW', null], renewed, { renewal: {} })
  expectTaken(await deliver(s, body))
  await s.ctx.state.dispatcher.runDue()
  expect(hashes()).toEqual([sha256Hex(JSON.stringify(body))])
  knows('ada', renewed)
})

test('the app with the changed line and its old key works: everybody has what they had', async () => {
  await setSdkDoor(s, { enabled: true, oldKeys: OLD_KEYS })
  s.ctx.state.projects.forget(s.project.id)
  const opened = await app().open('ada')
  expect([opened.status, accessOf(opened)]).toEqual([200, { pro: seconds(renewed.expiresDate ?? 0) }])
  const gone = await app().open('bo')
  expect(accessOf(gone)).toEqual({ pro: seconds(bo.expiresDate ?? 0) }) // Listed with its end, which is past.
  expect((await app().offerings('ada')).body.current_offering_id).toBe('standard')
})

test('the receipts of the phones, sent again after the refusals, count nothing twice', async () => {
  const before = await lines()
  for (const one of [ada, renewed]) expect((await app().receipt('ada', one)).status).toBe(200)
  const restored = await app().receipt('ada', renewed, { is_restore: true })
  expect(accessOf(restored)).toEqual({ pro: seconds(renewed.expiresDate ?? 0) })
  expect(await lines()).toBe(before)
})

test('somebody who buys in the switched app is known here at once, and to the former vendor by the store', async () => {
  const cy = s.buy(MONTHLY)
  const body = notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], cy, { renewal: {} })
  expect(accessOf(await app().receipt('cy', cy))).toEqual({ pro: seconds(cy.expiresDate ?? 0) })
  expectTaken(await deliver(s, body))
  await s.ctx.state.dispatcher.runDue()
  expect(hashes()).toContain(sha256Hex(JSON.stringify(body)))
  knows('cy', cy)
})

test('an Android app with the changed line restores what was bought before it, once', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const bought = s.ctx.clock.now()
  s.ctx.clock.advance(DAY)
  const restored = await restoreOnAndroid('dee', token)
  expect([restored.status, decodeAndroidPerson(restored.body)]).toEqual([200, []])
  const { pro } = restored.body.subscriber.subscriptions
  expect(pro).toMatchObject({ store: 'play_store', purchase_date: seconds(bought), product_plan_identifier: 'monthly' })
  expect(accessOf(restored)).toEqual({ pro: pro.expires_date })
  const before = await lines()
  expect((await restoreOnAndroid('dee', token)).status).toBe(200)
  expect(await lines()).toBe(before)
  const { body } = await sdk(s, 'android').get('/v1/subscribers/dee/offerings', { key: OLD_ANDROID_KEY })
  expect(decodeOfferings(body)).toEqual([])
  vendor.people.set('dee', {
    ...{ original_app_user_id: 'dee', first_seen: seconds(bought), subscriptions: { pro } },
    entitlements: restored.body.subscriber.entitlements,
  })
})

const compared = () => runCompare(s, orderArgs(s, vendor, '--include-sandbox', '--json'))

test('svc compare finds nothing, and would find what is missing', async () => {
  const same = await compared()
  expect([same.code, JSON.parse(same.out).kinds]).toEqual([0, {}])
  expect(JSON.parse(same.out).counters).toMatchObject({ done: 4, equal: 4 })
  vendor.people.set('bo', { original_app_user_id: 'bo', first_seen: seconds(s.ctx.clock.now()) })
  expect((await compared()).code).toBe(3)
  knows('bo', bo)
})

test('the former vendor is switched off, and nobody notices', async () => {
  const forwards = (await i.team.as('ADMIN').get('/notification-forwards')).body.data.items
  for (const { id } of forwards) await i.team.as('ADMIN').delete(`/notification-forwards/${id}`)
  await vendor.close()
  const heard = hashes().length
  s.ctx.clock.advance(29 * DAY)
  const third = renew(s, renewed, MONTHLY)
  expectTaken(await deliver(s, notificationBody(s, ['DID_RENEW', null], third, { renewal: {} })))
  await s.ctx.state.dispatcher.runDue()
  expect(accessOf(await app().open('ada'))).toEqual({ pro: seconds(third.expiresDate ?? 0) })
  expect((await app().receipt('ada', third)).status).toBe(200)
  expect(hashes()).toHaveLength(heard)
})

test('the team sees which version calls, and no purchase was refused', async () => {
  const { calls } = (await i.team.as('CUSTOMER_SUPPORT').get('/sdk-door/calls')).body.data
  expect(new Set(calls.map(({ version }: { version: string }) => version))).toEqual(new Set(['5.43.0', '9.9.0']))
  expect(calls.filter(({ outcome }: { outcome: string }) => outcome !== 'OK')).toEqual([])
})
