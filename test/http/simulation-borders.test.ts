import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { claim, runClaimed } from '../../src/base/jobs/run'
import { DAY } from '../../src/base/lib/clock'
import { androidAcknowledge } from '../../src/intake/android/acknowledge'
import { simulatedIdentity } from '../../src/intake/android/notification-sender'
import { androidClient } from '../../src/projects/connections/android-store'
import { iosApiClient } from '../../src/projects/connections/ios-api'
import { makeSimulatorKeys } from '../../src/stores/test-keys/keys'
import { type SigningKey, simulatorPushKey, simulatorWebhookSecret } from '../../src/stores/test-keys/service'
import { deliverWaiting } from '../../src/test-store/driver/deliver'
import { changeTrouble, simulatePurchase, simulateTurn } from '../../src/test-store/driver/simulate'
import { termsOf, USUAL_PRICE } from '../../src/test-store/driver/terms'
import { aboutSubscription, aboutVoided, pushBody, signPushToken } from '../../src/test-store/stores/android-push'
import { signTransaction } from '../../src/test-store/stores/ios'
import type { SimulatedStore } from '../../src/test-store/stores/life'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { NO_TROUBLE, readLives } from '../../src/test-store/stores/world'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { access, everything, expectRefused, money, rowOf } from '../support/facts'
import { projectOf, svc } from '../support/simulate'

let s: Stage
afterEach(() => s.close())

/** Buys at a test store and returns the store's id of the purchase. */
async function buy(deviceKey: string, store: SimulatedStore): Promise<string> {
  const project = await projectOf(s)
  const terms = termsOf(project, store, 'pro_monthly', USUAL_PRICE)
  if (!terms) throw new Error('the cast sells no such product')
  const done = await simulatePurchase(s.ctx, project, { deviceKey, store, terms, withTrial: false })
  if (!done.ok) throw new Error(done.why)
  return done.life.id
}

const token = (receipt: string, device = 'mallory', key = s.project.publicKey) =>
  s.post('/v1/receipts/android', { receipt, appUserId: device, productId: 'pro_monthly' }, { key })

interface Push {
  key?: SigningKey
  purchaseToken: string
  projectId?: string
  audience?: string
  word?: 'renewed' | 'voided'
}

/** A push as the test store signs it, with the given differences. */
async function push({ key, purchaseToken, projectId = s.project.id, audience, word = 'renewed' }: Push) {
  const { android } = await s.ctx.state.projects.get(projectId)
  const notification =
    word === 'renewed'
      ? aboutSubscription('SUBSCRIPTION_RENEWED', 2, purchaseToken)
      : aboutVoided({ token: purchaseToken, orderId: 'GPA.1', productType: 1, refundType: 1 })
  const now = s.ctx.clock.now()
  const identity = simulatedIdentity(s.project.id)
  const signed = await signPushToken(
    key ?? (await simulatorPushKey(s.ctx, s.project.id)),
    { ...identity, ...(audience === undefined ? {} : { audience }) },
    now,
  )
  const packageName = android?.packageName ?? 'svc.simulated'
  return s.call('POST', `/webhooks/android/${projectId}`, {
    key: null,
    raw: pushBody(packageName, notification, { messageId: `forged-${now}`, now }),
    headers: { authorization: `Bearer ${signed}` },
  })
}

const foreignKey = async (id?: string): Promise<SigningKey> => {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  )
  return { id: id ?? `svc-simulator-${'x'.repeat(22)}`, ...pair }
}

describe('what is not of this deployment is refused', () => {
  beforeEach(async () => {
    s = await stage()
    await buy('ada', 'android')
  })

  test('a token that the test store never gave', () =>
    expectRefused(s, () => token('svc-simulated.abcdefgh.AO-J1Oxyz'), 400, 'RECEIPT_INVALID'))

  test('a token of another project', async () => {
    const [life] = await readLives(s.ctx, s.project.id)
    const { publicKey } = s.other
    await expectRefused(s, () => token(life?.id ?? '', 'mallory', publicKey), 400, 'RECEIPT_INVALID')
  })

  test("a real store's token, without that store's credentials", () =>
    expectRefused(s, () => token('abcdefghijklmnopqrstuvwx.AO-J1Oxyz'), 400, 'STORE_NOT_CONFIGURED'))

  test('a push signed with the key of another test store, whatever it calls itself', async () => {
    const [life] = await readLives(s.ctx, s.project.id)
    const { id } = await simulatorPushKey(s.ctx, s.project.id)
    for (const key of [await foreignKey(), await foreignKey(id), await foreignKey('svc-simulator-x')])
      await expectRefused(s, () => push({ key, purchaseToken: life?.id ?? '' }), 401, 'UNAUTHORIZED')
  })

  test('a push meant for another project', async () => {
    const [life] = await readLives(s.ctx, s.project.id)
    const purchaseToken = life?.id ?? ''
    await expectRefused(s, () => push({ purchaseToken, projectId: s.other.id }), 401, 'UNAUTHORIZED')
    await expectRefused(s, () => push({ purchaseToken, audience: 'https://svc.example.com' }), 401, 'UNAUTHORIZED')
  })

  test('an event signed with another secret, or about what the test store did not sell', async () => {
    const id = await buy('bo', 'payment')
    const object = { id, object: 'subscription' }
    const event = { id: `evt_sim${'0'.repeat(20)}`, object: 'event', type: 'customer.subscription.updated' }
    const post = async (secret: string, body: object, projectId = s.project.id) => {
      const signed = await signEvent(body, { secret, now: s.ctx.clock.now() })
      const headers = { 'stripe-signature': signed.signature }
      return s.call('POST', `/webhooks/payment/${projectId}`, { key: null, raw: signed.body, headers })
    }
    const forged = { ...event, created: 1, livemode: false, data: { object } }
    const secret = await simulatorWebhookSecret(s.ctx, s.project.id)
    await expectRefused(s, () => post('whsec_other', forged), 401, 'UNAUTHORIZED')
    // The secret of the test store is not valid for an event of another origin.
    await expectRefused(s, () => post(secret, { ...forged, id: 'evt_1Pabc' }), 401, 'UNAUTHORIZED')
    const foreign = { ...forged, data: { object: { ...object, id: 'sub_1Pabc' } } }
    await expectRefused(s, () => post(secret, foreign), 400, 'VALIDATION_ERROR')
    const unknown = { ...forged, data: { object: { ...object, id: `sub_sim${'0'.repeat(20)}` } } }
    const before = await everything(s)
    expect((await post(secret, unknown)).status).toBe(200) // It is kept, but its object is unknown.
    expect(await everything(s)).toEqual(before)
  })

  test('a receipt signed by another test store', async () => {
    const keys = await makeSimulatorKeys(s.ctx.clock.now())
    const receipt = signTransaction(keys, s.buy(MONTHLY))
    const post = () => s.post('/v1/receipts/ios', { receipt, appUserId: 'mallory', productId: 'pro_monthly' })
    await expectRefused(s, post, 400, 'RECEIPT_INVALID')
  })
})

test('the test store has no say in a real purchase, and Google none in a simulated one', async () => {
  const a = await androidStage()
  s = a
  const real = a.server.store.subscribe(ANDROID_MONTHLY)
  await a.token('bo', real, 'pro_monthly')
  const calls = a.calls()
  await buy('ada', 'android')
  const project = await projectOf(s)
  await simulateTurn(s.ctx, project, { deviceKey: 'ada', store: null, product: null }, 'renew')
  expect(Object.keys(await access(s, 'ada'))).toEqual(['pro'])
  expect(a.calls()).toBe(calls)
  for (const word of ['voided', 'renewed'] as const)
    await expectRefused(s, () => push({ purchaseToken: real, word }), 400, 'VALIDATION_ERROR')
  expect(Object.keys(await access(s, 'bo'))).toEqual(['pro'])
})

describe('switched off', () => {
  test('the command line refuses', async () => {
    s = await stage()
    for (const args of [['purchase', '--device', 'a', '--product', 'pro_monthly'], ['status'], ['advance', '1d']]) {
      const { code, err } = await svc(s.ctx, ['simulate', ...args], { SVC_SIMULATOR: 'off' })
      expect([code, err.join()]).toEqual([1, expect.stringContaining('switched off')])
    }
    expect(await readLives(s.ctx, s.project.id)).toEqual([])
  })

  test('its ids are unknown, and nobody is asked about them', async () => {
    const a = await androidStage({ env: { SVC_SIMULATOR: 'off' } })
    s = a
    // Buys in the way of another process in which the test store is on.
    const purchaseToken = await buy('ada', 'android')
    expect(await readLives(s.ctx, s.project.id)).toHaveLength(1)
    await expectRefused(s, () => token(purchaseToken), 400, 'RECEIPT_INVALID')
    await expectRefused(s, () => push({ purchaseToken }), 401, 'UNAUTHORIZED')
    expect(a.calls()).toBe(0)
    expect(await iosApiClient(s.ctx, await projectOf(s), '99991234567890123456')).toBeNull()
  })
})

describe('what a server asks of a test store', () => {
  beforeEach(async () => {
    s = await stage()
  })

  test('is answered without credentials: an acknowledgement', async () => {
    const id = await buy('ada', 'android')
    const registry = createRegistry([androidAcknowledge])
    for (const row of await claim(s.ctx, registry, 10)) await runClaimed(s.ctx, androidAcknowledge, row)
    expect(await s.ctx.db.select().from(s.ctx.tables.jobs)).toEqual([])
    const [life] = await readLives(s.ctx, s.project.id)
    expect(life).toMatchObject({
      id,
      subscription: { resource: { acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' } },
    })
  })

  test('is recorded like any other change: a cancellation and a refund', async () => {
    const id = await buy('ada', 'android')
    const project = await projectOf(s)
    const client = await androidClient(s.ctx, project, id)
    s.ctx.clock.advance(DAY)
    expect(await client.cancelSubscription(id, 'pro_monthly')).toMatchObject({ kind: 'ok' })
    await deliverWaiting(s.ctx)
    expect(await money(s, (await rowOf(s, 'ada')).id)).toHaveLength(1)
    const [life] = await readLives(s.ctx, s.project.id)
    const orderId = life?.store === 'android' ? (life.subscription?.orderId ?? '') : ''
    expect(await client.refundOrder(orderId, true)).toMatchObject({ kind: 'ok' })
    expect(Object.keys(await access(s, 'ada'))).toEqual(['pro'])
    await deliverWaiting(s.ctx)
    expect(await access(s, 'ada')).toEqual({})
    const voided = await client.listVoided({ startAt: 0, endAt: s.ctx.clock.now() + DAY, pageToken: null })
    expect(voided).toMatchObject({ kind: 'ok', body: { rows: [{ purchaseToken: id, orderId }] } })
    expect(await client.getSubscriptionV2('real.token')).toMatchObject({ kind: 'rejected', why: 'credentials' })
  })

  test('the App Store: transaction, status and an extension', async () => {
    const id = await buy('ada', 'ios')
    const project = await projectOf(s)
    expect(await iosApiClient(s.ctx, project)).toBeNull()
    const client = await iosApiClient(s.ctx, project, id)
    if (!client) throw new Error('a simulated purchase needs no credentials')
    expect(await client.getTransactionInfo('SANDBOX', id)).toMatchObject({ ok: true })
    expect(await client.getTransactionInfo('SANDBOX', `9999${'0'.repeat(16)}`)).toMatchObject({ ok: false })
    const statuses = await client.getAllSubscriptionStatuses('SANDBOX', id)
    expect(statuses).toMatchObject({ ok: true, value: { data: [{ lastTransactions: [{ status: 1 }] }] } })
    const before = (await access(s, 'ada')).pro ?? ''
    const order = { extendByDays: 7, extendReasonCode: 1, requestIdentifier: 'r' } as const
    expect(await client.extendRenewalDate('SANDBOX', id, order)).toMatchObject({ ok: true, value: { success: true } })
    await deliverWaiting(s.ctx)
    expect(Date.parse((await access(s, 'ada')).pro ?? '') - Date.parse(before)).toBe(7 * DAY)
  })

  test('and not answered at all while the stores are down', async () => {
    const [ios, android] = [await buy('ada', 'ios'), await buy('ada', 'android')]
    const project = await projectOf(s)
    await changeTrouble(s.ctx, project, { ...NO_TROUBLE, isStoreDown: true })
    const play = await androidClient(s.ctx, project, android)
    expect(await play.getSubscriptionV2(android)).toMatchObject({ kind: 'unavailable', status: 503 })
    const appStore = await iosApiClient(s.ctx, project, ios)
    expect(await appStore?.getTransactionInfo('SANDBOX', ios)).toMatchObject({ ok: false, kind: 'unavailable' })
    s.ctx.clock.advance(DAY)
    const answer = await token(android, 'ada')
    expect([answer.status, answer.body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
    await changeTrouble(s.ctx, project, NO_TROUBLE)
    for (let tries = 0; tries < 6; tries++) await play.getSubscriptionV2(android)
    // Faults of the test store do not count for Google's circuit.
    expect((await token(android, 'ada')).status).toBe(200)
  })
})
