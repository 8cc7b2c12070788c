import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { foldObservations } from '../../people/purchases/fold'
import { statusAt } from '../../people/purchases/status'
import { PlayClient } from '../../stores/android/client'
import { decodeSubscription } from '../../stores/android/decode'
import { GoogleKeys } from '../../stores/android/google-keys'
import type { NotificationAction } from '../../stores/android/notification'
import { reportReplaced, reportSubscription } from '../../stores/android/observe'
import { decodeProduct, reportProduct } from '../../stores/android/product'
import { decodePush } from '../../stores/android/push'
import { checkPushToken } from '../../stores/android/push-token'
import { readServiceAccount } from '../../stores/android/service-account'
import type { Observation } from '../../stores/observation'
import { answerPlay } from './android-api'
import type { SimulatedPush } from './android-push'
import { AndroidServer } from './android-server'

const clock = { time: Date.UTC(2026, 0, 31, 8), now: () => clock.time }
const PACKAGE = 'com.example.app'
const price = { amountMicros: 9_990_000, currency: 'USD' }
const monthly = { productId: 'pro', basePlanId: 'monthly', period: 'P1M', price }
const yearly = { ...monthly, productId: 'max', basePlanId: 'yearly', period: 'P1Y' }
const identity = { audience: 'https://svc.example.com/webhooks/android/p', email: 'push@p.iam.gserviceaccount.com' }

let server: AndroidServer
let client: PlayClient
let keys: GoogleKeys
const kept = new Map<string, Observation[]>()

beforeAll(async () => {
  server = await AndroidServer.start({ clock, packageName: PACKAGE })
  const result = readServiceAccount(await server.serviceAccountFile())
  if (!result.ok) throw new Error(result.reason)
  const { apiUrl, tokenUrl } = server
  client = new PlayClient({ account: result.account, packageName: PACKAGE, apiUrl, tokenUrl, clock })
  keys = new GoogleKeys({ url: server.keysUrl, clock })
})
afterEach(() => {
  server.faults = {}
})
afterAll(() => server.close())

/** Handles a push like a server, without a database. */
async function receive({ body, authorization }: SimulatedPush): Promise<void> {
  const { audience, email: serviceAccount } = identity
  expect(await checkPushToken(authorization, { keys, audience, serviceAccount, now: clock.now() })).toMatchObject({
    ok: true,
  })
  const result = decodePush(JSON.parse(body))
  if (!result.ok) throw new Error(result.reason)
  const { packageName, action } = result.push.notification
  expect(packageName).toBe(PACKAGE)
  if (action.kind === 'MARKER') keep(action.purchaseToken, [action.marker])
  if (action.kind === 'FETCH') await fetchFor(action)
}

async function fetchFor(action: Extract<NotificationAction, { kind: 'FETCH' }>): Promise<void> {
  const { purchaseToken, productType } = action
  const known = kept.get(purchaseToken) ?? []
  const context = { ...action, fetchedAt: clock.now(), known }
  const answer = await (productType === 'SUBSCRIPTION'
    ? client.getSubscriptionV2(purchaseToken)
    : client.getProduct(purchaseToken, action.storeProductId))
  if (answer.kind !== 'ok') throw new Error(answer.kind)
  if (productType === 'ONE_TIME') {
    const result = decodeProduct(answer.body, { purchaseToken, productId: action.storeProductId })
    const item = result.ok && result.product.items[0]
    if (result.ok && item) keep(purchaseToken, reportProduct(result.product, item, context))
    return
  }
  const result = decodeSubscription(answer.body, purchaseToken)
  const item = result.ok && result.subscription.items[0]
  if (!result.ok || !item) throw new Error(JSON.stringify(result))
  const replaced = reportReplaced(result.subscription, clock.now())
  if (replaced) keep(replaced.purchaseToken, [replaced.report])
  keep(purchaseToken, reportSubscription(result.subscription, item, context))
}

const keep = (token: string, observations: Observation[]) =>
  kept.set(token, [...(kept.get(token) ?? []), ...observations])

async function deliver(): Promise<string[]> {
  const pushes = await server.takePushes(identity)
  for (const push of pushes) {
    await receive(push)
    clock.time += 1
  }
  return pushes.map(({ type }) => type)
}

function stateOf(token: string, type: 'SUBSCRIPTION' | 'CONSUMABLE' = 'SUBSCRIPTION') {
  const fold = foldObservations(kept.get(token) ?? [], type)
  return fold && statusAt(fold, clock.now())
}

/** Takes one turn at the store, and handles its pushes. */
async function turn(token: string, take: () => void, daysLater = 0) {
  clock.time += daysLater * DAY
  take()
  await deliver()
  return stateOf(token)
}

test('a life from trial to revocation, by pushes alone', async () => {
  const { store } = server
  const token = store.subscribe({ ...monthly, trialPeriod: 'P1W' }, { withTrial: true, isTest: true, accountId: 'a1' })
  expect(await deliver()).toEqual(['SUBSCRIPTION_PURCHASED'])
  expect(stateOf(token)).toMatchObject({ status: 'TRIAL', price: { amountMicros: 0 } })
  expect(await turn(token, () => store.renew(token), 7)).toMatchObject({ status: 'ACTIVE', price, isTrial: false })
  expect(await turn(token, () => store.cancel(token), 3)).toMatchObject({ status: 'ACTIVE', autoRenews: false })
  expect(await turn(token, () => store.restart(token), 1)).toMatchObject({ status: 'ACTIVE', autoRenews: true })
  expect(await turn(token, () => store.failPayment(token), 25)).toMatchObject({ status: 'GRACE_PERIOD' })
  expect(await turn(token, () => store.hold(token), 7)).toMatchObject({ status: 'BILLING_RETRY' })
  expect(await turn(token, () => store.renew(token), 5)).toMatchObject({ status: 'ACTIVE', billingTrouble: 'NONE' })
  expect(await turn(token, () => store.pause(token), 32)).toMatchObject({ status: 'PAUSED' })
  expect(await turn(token, () => store.resume(token), 30)).toMatchObject({ status: 'ACTIVE', pausedAt: null })
  expect(await turn(token, () => store.revoke(token), 2)).toMatchObject({ status: 'REVOKED' })
})

test('an upgrade ends the purchase before it', async () => {
  const old = server.store.subscribe(monthly)
  await deliver()
  clock.time += 5 * DAY
  const next = server.store.upgrade(old, yearly)
  await deliver()
  expect(stateOf(old)).toMatchObject({ status: 'EXPIRED', expiryReason: 'REPLACED' })
  expect(stateOf(next)).toMatchObject({ status: 'ACTIVE', storeProductId: 'max' })
})

test('the API returns the rest of a period, once', async () => {
  const token = server.store.subscribe(monthly)
  clock.time += 5 * DAY
  const path = `/androidpublisher/v3/applications/${PACKAGE}/purchases/subscriptionsv2/tokens/${token}:revoke`
  const query = new URLSearchParams()
  const body = { revocationContext: { proratedRefund: {} } }
  const call = () => answerPlay(server.store, { method: 'POST', path, query, packageName: PACKAGE, body }).status
  expect([call(), call()]).toEqual([204, 400])
  expect(await deliver()).toEqual(['SUBSCRIPTION_PURCHASED', 'SUBSCRIPTION_REVOKED'])
  expect(stateOf(token)).toMatchObject({ status: 'REVOKED' })
  expect(server.store.leftOf(server.store.subscriptions.get(token)?.orderId ?? '')?.amountMicros).toBeLessThan(
    price.amountMicros * 0.2,
  )
})

test('a refund by voided notification', async () => {
  const token = server.store.subscribe(monthly)
  await deliver()
  expect(await turn(token, () => server.store.refund(token), 1)).toMatchObject({ status: 'REFUNDED' })
})

test('pushes twice and in reverse come to the same', async () => {
  const token = server.store.subscribe(monthly)
  clock.time += DAY
  server.store.cancel(token)
  server.faults = { isDoubled: true, isReordered: true }
  expect(await deliver()).toEqual([
    'SUBSCRIPTION_CANCELED',
    'SUBSCRIPTION_CANCELED',
    'SUBSCRIPTION_PURCHASED',
    'SUBSCRIPTION_PURCHASED',
  ])
  expect(stateOf(token)).toMatchObject({ status: 'ACTIVE', autoRenews: false })
})

describe('one-time purchases', () => {
  test('are observed once, however often they are told', async () => {
    server.faults = { isDoubled: true }
    const token = server.store.buy('gems', { quantity: 3 })
    await deliver()
    expect(new Set(kept.get(token)?.map(({ id }) => id)).size).toBe(1)
    expect(stateOf(token, 'CONSUMABLE')).toMatchObject({ status: 'ACTIVE', quantity: 3 })
  })
  test('pending ones are nothing until they are paid', async () => {
    const token = server.store.buyPending('gems')
    expect(await deliver()).toEqual([])
    server.store.settle(token, true)
    expect(await deliver()).toEqual(['ONE_TIME_PRODUCT_PURCHASED'])
    expect(stateOf(token, 'CONSUMABLE')).toMatchObject({ status: 'ACTIVE' })
  })
  test('and nothing ever when they are given up', async () => {
    const token = server.store.buyPending('gems')
    server.store.settle(token, false)
    expect(await deliver()).toEqual(['ONE_TIME_PRODUCT_CANCELED'])
    expect(stateOf(token, 'CONSUMABLE')).toBeNull()
  })
})

describe('the stand-in refuses', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.apiUrl}${path}`, { headers })
  test('calls without a token that it gave', async () => {
    const path = `/androidpublisher/v3/applications/${PACKAGE}/purchases/subscriptionsv2/tokens/t`
    expect((await get(path)).status).toBe(401)
    expect((await get(path, { authorization: 'Bearer made-up' })).status).toBe(401)
  })
  test('assertions that it cannot verify', async () => {
    for (const assertion of ['', 'a.b.c', await server.pushToken(identity)]) {
      const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
      expect((await fetch(server.tokenUrl, { method: 'POST', body })).status).toBe(400)
    }
  })
})
