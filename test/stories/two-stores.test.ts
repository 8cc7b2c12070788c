import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import { COINS, LIFETIME, MONTHLY, YEARLY } from '../support/cast'
import { balances, expectRefused, identify, refund, renew, rowOf } from '../support/facts'
import { deliverAll, expectSubmitted, follow, notifyNew, on, sweep } from '../support/story'

let s: AndroidStage
let store: AndroidStore
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
  store = s.server.store
})
afterEach(() => s.close())

const GRACE: NotificationKind = ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']
const RECOVERED: NotificationKind = ['DID_RENEW', 'BILLING_RECOVERY']
const YEAR = { coach: '2027-11-20', pro: '2027-11-20' }
const MONTH = { pro: '2026-12-20' }
const restore = (device: string, receipts: object[]) =>
  expectSubmitted(s.post(`/v1/subscribers/${device}/restore`, { receipts }))
const asSupport = (path: string, body: object) => s.post(`/v1/subscribers${path}`, body, { key: s.project.secretKey })

test('Elle has a month at Apple and a year at Google: each ends by itself', async () => {
  const step = follow(s, 'svc_elle')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_elle', month))
  await identify(s, 'svc_elle', 'elle')
  await step({
    events: ['purchase.initial', 'entitlement.granted', 'subscriber.identified'],
    access: MONTH,
    net: 9_990_000,
  })
  const year = store.subscribe(ANDROID_YEARLY)
  await expectSubmitted(s.token('svc_elle_2', year, 'pro_yearly'))
  await identify(s, 'svc_elle_2', 'elle')
  await deliverAll(s)
  const fresh = follow(s, 'svc_elle_2')
  await fresh({
    events: [
      'purchase.initial',
      'currency.transaction',
      'entitlement.granted',
      'entitlement.granted',
      'subscriber.transferred',
      'subscriber.identified',
    ],
    access: YEAR,
    net: 89_980_000,
  })
  await step({ events: ['entitlement.revoked', 'subscriber.transferred'], access: YEAR, net: 0 })

  on(s, '2026-12-20')
  await notifyNew(s, ['EXPIRED', 'VOLUNTARY'], month)
  await fresh({ events: ['purchase.expired'], access: YEAR, net: 89_980_000 })
  on(s, '2027-02-01')
  store.refund(year)
  await deliverAll(s)
  await fresh({
    events: ['purchase.refunded', 'entitlement.revoked', 'entitlement.revoked'],
    access: {},
    net: 9_990_000,
  })
  expect(await balances(s, 'svc_elle')).toEqual({ coins: 500 }) // The project takes no currency back.
})

test("Flo's card fails on the iPhone, and in the middle of the grace period she signs in on another phone", async () => {
  const old = follow(s, 'svc_flo')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_flo', month))
  await identify(s, 'svc_flo', 'flo')
  on(s, '2026-12-20')
  await notifyNew(s, GRACE, month)
  const grace = { pro: '2027-01-05' }
  await old({
    events: [
      'purchase.initial',
      'entitlement.granted',
      'subscriber.identified',
      'purchase.billing_issue',
      'purchase.grace_period',
    ],
    access: grace,
    net: 9_990_000,
  })

  on(s, '2026-12-24')
  await identify(s, 'svc_flo_2', 'flo')
  const fresh = follow(s, 'svc_flo_2')
  await fresh({
    events: ['entitlement.granted', 'subscriber.transferred', 'subscriber.identified'],
    access: grace,
    net: 9_990_000,
  })
  await old({ events: ['entitlement.revoked', 'subscriber.transferred'], access: grace, net: 0 })

  on(s, '2026-12-30')
  await notifyNew(s, RECOVERED, renew(s, month, MONTHLY))
  await fresh({ events: ['purchase.recovered'], access: { pro: '2027-01-30' }, net: 19_980_000 })
  await old({ events: [], access: { pro: '2027-01-30' }, net: 0 })
})

test('Gil merges in a grace period at Google, which ends for the survivor alone', async () => {
  const month = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_gil', month, 'pro_monthly'))
  await identify(s, 'svc_gil', 'gil')
  await deliverAll(s)
  on(s, '2026-12-20')
  store.failPayment(month)
  await deliverAll(s)
  on(s, '2026-12-23')
  await identify(s, 'svc_gil_2', 'gil')
  const [old, fresh] = [follow(s, 'svc_gil'), follow(s, 'svc_gil_2')]
  await fresh({
    events: ['entitlement.granted', 'subscriber.transferred', 'subscriber.identified'],
    access: { pro: '2026-12-27' },
    net: 9_990_000,
  })
  await old({
    events: [
      'purchase.initial',
      'entitlement.granted',
      'subscriber.identified',
      'purchase.billing_issue',
      'purchase.grace_period',
      'entitlement.revoked',
      'subscriber.transferred',
    ],
    access: { pro: '2026-12-27' },
    net: 0,
  })
  on(s, '2026-12-27')
  await sweep(s)
  await fresh({ events: ['purchase.billing_issue', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  store.hold(month)
  await deliverAll(s)
  await old({ events: [], access: {}, net: 0 })
  await fresh({ events: [], access: {}, net: 9_990_000 })
})

test('Hana gets a new phone and restores what she has in both stores', async () => {
  const old = follow(s, 'svc_hana')
  const forever = s.buy(LIFETIME)
  const year = store.subscribe(ANDROID_YEARLY)
  const coins = s.buy(COINS)
  await expectSubmitted(s.receipt('svc_hana', forever))
  await expectSubmitted(s.token('svc_hana', year, 'pro_yearly'))
  await expectSubmitted(s.receipt('svc_hana', coins))
  await deliverAll(s)
  const held = { coach: '2027-11-20', pro: null }
  await old({
    events: [
      'purchase.non_renewing',
      'entitlement.granted',
      'purchase.initial',
      'currency.transaction',
      'entitlement.granted',
      'purchase.non_renewing',
      'currency.transaction',
    ],
    access: held,
    net: 280_970_000,
  })

  on(s, '2027-01-15')
  await s.get('/v1/me', 'svc_hana_2')
  await restore('svc_hana_2', [
    { store: 'IOS_STORE', receipt: s.sign(forever), productId: 'lifetime' },
    { store: 'ANDROID_STORE', receipt: year, productId: 'pro_yearly' },
  ])
  const fresh = follow(s, 'svc_hana_2')
  await fresh({
    events: ['entitlement.granted', 'subscriber.transferred', 'entitlement.granted', 'subscriber.transferred'],
    access: held,
    net: 279_980_000,
  })
  await old({
    // The year still gives pro after the lifetime purchase has moved away.
    events: ['subscriber.transferred', 'entitlement.revoked', 'entitlement.revoked', 'subscriber.transferred'],
    access: {},
    net: 990_000,
  })
  expect([await balances(s, 'svc_hana'), await balances(s, 'svc_hana_2')]).toEqual([{ coins: 600 }, {}])
})

test('Ian is transferred to the wrong account while on hold, and back', async () => {
  const ian = follow(s, 'svc_ian')
  const month = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_ian', month, 'pro_monthly'))
  await identify(s, 'svc_ian', 'ian')
  await identify(s, 'svc_ina', 'ina')
  await deliverAll(s)
  on(s, '2026-12-20')
  store.hold(month)
  await deliverAll(s)
  await ian({
    events: [
      'purchase.initial',
      'entitlement.granted',
      'subscriber.identified',
      'purchase.billing_issue',
      'entitlement.revoked',
    ],
    access: {},
    net: 9_990_000,
  })

  const ina = follow(s, 'svc_ina')
  const moved = await asSupport('/transfer', { fromAppUserId: 'ian', toAppUserId: 'ina' })
  await ina({ events: ['subscriber.identified', 'subscriber.transferred'], access: {}, net: 9_990_000 })
  on(s, '2026-12-23')
  store.renew(month)
  await deliverAll(s)
  await ina({ events: ['purchase.recovered', 'entitlement.granted'], access: { pro: '2027-01-23' }, net: 19_980_000 })
  await ian({ events: ['subscriber.transferred'], access: { pro: '2027-01-23' }, net: 0 })

  on(s, '2026-12-24')
  await expectSubmitted(asSupport(`/transfer/${moved.body.data.transferId}/undo`, {}))
  await ian({
    events: ['entitlement.granted', 'subscriber.transferred'],
    access: { pro: '2027-01-23' },
    net: 19_980_000,
  })
  await ina({ events: ['entitlement.revoked', 'subscriber.transferred'], access: {}, net: 0 })
  on(s, '2027-01-23')
  store.renew(month)
  await deliverAll(s)
  await ian({ events: ['purchase.renewed'], access: { pro: '2027-02-23' }, net: 29_970_000 })
  await ina({ events: [], access: {}, net: 0 })
})

test('Joy reinstalls on two phones, and nobody can take what is hers by name', async () => {
  const bought = s.buy(YEARLY)
  const token = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.receipt('svc_joy', bought))
  await expectSubmitted(s.token('svc_joy_2', token, 'pro_monthly'))
  for (const device of ['svc_joy', 'svc_joy_2']) await identify(s, device, 'joy')
  await deliverAll(s)
  await expectRefused(s, () => s.receipt('svc_thief', bought), 409, 'RECEIPT_IN_USE')
  await expectRefused(s, () => s.token('svc_thief', token, 'pro_monthly'), 409, 'RECEIPT_IN_USE')

  on(s, '2026-12-01')
  await identify(s, 'svc_joy_3', 'joy')
  const joy = follow(s, 'svc_joy_3')
  await joy({
    events: [
      'currency.transaction',
      'entitlement.granted',
      'entitlement.granted',
      'subscriber.transferred',
      'subscriber.identified',
    ],
    access: YEAR,
    net: 89_980_000,
  })
  await expectSubmitted(s.receipt('svc_joy_3', bought))
  // The purchase of the first install belongs to the third one by now.
  await expectSubmitted(s.token('svc_joy', token, 'pro_monthly'))
  await joy({ events: [], access: YEAR, net: 89_980_000 })
  await notifyNew(s, ['REFUND', null], refund(s, bought), { renewal: { autoRenewStatus: 1 } })
  await joy({ events: ['purchase.refunded', 'entitlement.revoked'], access: MONTH, net: 9_990_000 })
  expect((await rowOf(s, 'svc_joy')).mergedInto).toBe((await rowOf(s, 'svc_joy_3')).id)
})
