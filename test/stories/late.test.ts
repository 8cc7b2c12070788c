import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { COINS, MONTHLY, YEARLY } from '../support/cast'
import { balances, money, refund, renew, rowOf } from '../support/facts'
import { deliver, notificationBody, purchaseOf, storeEvents } from '../support/notify'
import { deliverAll, expectSubmitted, follow, notifyNew, on, sweep } from '../support/story'

let s: AndroidStage
let store: AndroidStore
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
  store = s.server.store
})
afterEach(() => s.close())

const kinds = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)

/** Notifications that the App Store posts while the server is down, to be delivered later. */
function outbox() {
  const bodies: { signedPayload: string }[] = []
  return { bodies, put: (...what: Parameters<typeof notificationBody>) => bodies.push(notificationBody(...what)) }
}

/** Three months with a trial, a billing problem, and a refund that was reversed. Nothing of it was delivered. */
function lifeOfKat() {
  const { bodies, put } = outbox()
  const trial = s.buy(MONTHLY, { withTrial: true })
  put(s, ['SUBSCRIBED', 'INITIAL_BUY'], trial)
  on(s, '2026-11-27')
  const first = renew(s, trial, MONTHLY)
  put(s, ['DID_RENEW', null], first)
  on(s, '2026-12-01')
  put(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], first)
  on(s, '2026-12-05')
  put(s, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'], first)
  on(s, '2026-12-27')
  put(s, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], first)
  on(s, '2026-12-30')
  const second = renew(s, first, MONTHLY)
  put(s, ['DID_RENEW', 'BILLING_RECOVERY'], second)
  on(s, '2027-01-30')
  const third = renew(s, second, MONTHLY)
  put(s, ['DID_RENEW', null], third)
  on(s, '2027-02-03')
  put(s, ['REFUND', null], refund(s, third))
  on(s, '2027-02-10')
  put(s, ['REFUND_REVERSED', null], third)
  on(s, '2027-02-20')
  return { bodies, receipts: [trial, first, second, third] }
}

const KAT = ['TRIAL', 'TRIAL_CONVERSION', 'RENEWAL', 'RENEWAL', 'REFUND', 'REFUND_REVERSAL']

test('Kat was offline for three months, and so were we: everything comes backwards, and twice', async () => {
  const { bodies, receipts } = lifeOfKat()
  const step = follow(s, 'svc_kat')
  for (const receipt of receipts.toReversed()) await expectSubmitted(s.receipt('svc_kat', receipt))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2027-02-28' }, net: 29_970_000 })
  for (const body of bodies.toReversed()) {
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: false })
    expect((await deliver(s, body)).body.data).toEqual({ received: true, duplicate: true })
  }
  await sweep(s)
  await step({
    events: ['purchase.refunded', 'purchase.refund_reversed'],
    access: { pro: '2027-02-28' },
    net: 29_970_000,
  })
  expect(await kinds('svc_kat')).toEqual(KAT)
})

test("Kat's twin lived the same life, and everything about him comes at one moment", async () => {
  const { bodies, receipts } = lifeOfKat()
  const [third] = receipts.toReversed()
  const posts = [
    ...receipts.map((receipt) => () => s.receipt('svc_kit', receipt)),
    ...bodies.map((body) => () => deliver(s, body)),
  ]
  const statuses = (await Promise.all([...posts, ...posts].map((post) => post()))).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  for (const body of bodies) expect((await deliver(s, body)).status).toBe(200)
  const step = follow(s, 'svc_kit')
  const { status, subscriberId } = third ? await purchaseOf(s, third) : { status: null, subscriberId: null }
  expect([status, subscriberId]).toEqual(['ACTIVE', (await rowOf(s, 'svc_kit')).id])
  expect(await kinds('svc_kit')).toEqual(KAT)
  const events = (await s.events(subscriberId ?? '')).map(({ type }) => type)
  await step({ events, access: { pro: '2027-02-28' }, net: 29_970_000 }) // The numbers of the events have no gap.
  expect((await storeEvents(s)).map((row) => row.status)).toEqual(bodies.map(() => 'PROCESSED'))
})

test('Liv was offline for months on Android: the store tells how it stands, whatever comes when', async () => {
  const token = store.subscribe(ANDROID_MONTHLY)
  on(s, '2026-12-10')
  store.cancel(token)
  on(s, '2026-12-12')
  store.restart(token)
  on(s, '2026-12-20')
  store.renew(token)
  on(s, '2027-01-20')
  store.failPayment(token)
  on(s, '2027-01-24')
  store.renew(token)
  on(s, '2027-02-01')
  s.server.faults = { isReordered: true, isDoubled: true }
  const answers = await s.deliverAll()
  expect(answers.map(({ body }) => body.data.duplicate)).toEqual(answers.map((_, index) => index % 2 === 1))
  await expectSubmitted(s.token('svc_liv', token, 'pro_monthly'))
  const step = follow(s, 'svc_liv')
  await step({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2027-02-20' },
    net: 9_990_000, // Google no longer reports the earlier charges.
  })
})

test('Moe is refunded before anybody has heard of his purchase', async () => {
  const coins = s.buy(COINS)
  const year = s.buy(YEARLY)
  // Signed when he bought, and delivered late: what is signed after a refund without its date says that it was reversed.
  const bought = [
    notificationBody(s, ['ONE_TIME_CHARGE', null], coins),
    notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'], year),
  ]
  on(s, '2026-11-22')
  await notifyNew(s, ['REFUND', null], refund(s, coins))
  await notifyNew(s, ['REFUND', null], refund(s, year))
  on(s, '2026-11-23')
  for (const body of bought) expect((await deliver(s, body)).status).toBe(200)
  const step = follow(s, 'svc_moe')
  await expectSubmitted(s.receipt('svc_moe', coins))
  await expectSubmitted(s.receipt('svc_moe', year))
  // The project takes no currency back, so he has the same as in the usual order.
  const moved = ['currency.transaction', 'subscriber.transferred']
  await step({ events: [...moved, ...moved], access: {}, net: 0 })
  expect(await balances(s, 'svc_moe')).toEqual({ coins: 600 })
  expect(await kinds('svc_moe')).toEqual(['CREDIT_PURCHASE', 'INITIAL', 'REFUND', 'REFUND'])
})

test('Noor is refunded by Google before anybody has heard of her purchase', async () => {
  const token = store.subscribe(ANDROID_YEARLY)
  on(s, '2026-11-22')
  store.refund(token)
  s.server.faults = { isReordered: true }
  await deliverAll(s)
  await expectSubmitted(s.token('svc_noor', token, 'pro_yearly'))
  const step = follow(s, 'svc_noor')
  await step({ events: ['currency.transaction', 'subscriber.transferred'], access: {}, net: 0 })
  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: [], access: {}, net: 0 })
  expect(await kinds('svc_noor')).toEqual(['INITIAL', 'REFUND'])
})

test("Ora's renewal is told before the trial that it ends, and her coins are those of one purchase", async () => {
  const product = { ...YEARLY, trialPeriod: 'P1W' }
  const trial = s.buy(product, { withTrial: true })
  const notification = notificationBody(s, ['SUBSCRIBED', 'INITIAL_BUY'] satisfies NotificationKind, trial)
  on(s, '2026-11-27')
  const year = renew(s, trial, product)
  const step = follow(s, 'svc_ora')
  await expectSubmitted(s.receipt('svc_ora', year))
  const access = { coach: '2027-11-27', pro: '2027-11-27' }
  await step({
    events: ['purchase.initial', 'currency.transaction', 'entitlement.granted', 'entitlement.granted'],
    access,
    net: 79_990_000,
  })
  await deliver(s, notification)
  expect(await balances(s, 'svc_ora')).toEqual({ coins: 500 })
  expect(await kinds('svc_ora')).toEqual(['TRIAL', 'TRIAL_CONVERSION'])
})
