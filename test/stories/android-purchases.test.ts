import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { AndroidStore } from '../../src/test-store/stores/android-store'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage, PREPAID } from '../support/android'
import { balances, changeSettings, expectRefused, identify, lastEvent, money, rowOf } from '../support/facts'
import { deliverAll, endReason, expectSubmitted, follow, on, sweep } from '../support/story'

let s: AndroidStage
let store: AndroidStore
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
  store = s.server.store
})
afterEach(() => s.close())

const kinds = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)
const MONTH = { pro: '2026-12-20' }

test('Yui goes up to the year, and down again to the month: three tokens, one person', async () => {
  const step = follow(s, 'svc_yui')
  const month = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_yui', month, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: MONTH, net: 9_990_000 })

  on(s, '2026-11-30')
  const year = store.upgrade(month, ANDROID_YEARLY)
  await deliverAll(s)
  const both = { coach: '2027-11-30', pro: '2027-11-30' }
  await step({
    events: ['purchase.initial', 'purchase.product_changed', 'purchase.expired', 'entitlement.granted'],
    access: both,
    net: 89_980_000,
  })
  expect(await endReason(s, 'svc_yui')).toBe('REPLACED')
  for (const token of [month, year]) await expectSubmitted(s.token('svc_yui', token, 'pro'))
  on(s, '2026-12-20') // The day on which the replaced month would have ended.
  await sweep(s)
  await step({ events: [], access: both, net: 89_980_000 })

  on(s, '2027-02-01')
  const again = store.upgrade(year, ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_yui', again, 'pro_monthly'))
  await step({
    events: ['purchase.initial', 'purchase.product_changed', 'purchase.expired', 'entitlement.revoked'],
    access: { pro: '2027-03-01' },
    net: 99_970_000,
  })
  await deliverAll(s)
  await step({ events: [], access: { pro: '2027-03-01' }, net: 99_970_000 })
  expect(await kinds('svc_yui')).toEqual(['INITIAL', 'PRODUCT_CHANGE', 'PRODUCT_CHANGE'])
})

test('Zac pays in advance and tops up; nobody knows what it cost, so nothing is counted', async () => {
  const step = follow(s, 'svc_zac')
  const first = store.subscribe(PREPAID)
  await expectSubmitted(s.token('svc_zac', first, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: MONTH, net: 0 })

  on(s, '2026-12-10')
  const second = store.topUp(first)
  await deliverAll(s)
  await step({ events: ['purchase.initial', 'purchase.expired'], access: { pro: '2027-01-20' }, net: 0 })
  await expectSubmitted(s.token('svc_zac', second, 'pro_monthly'))
  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: [], access: { pro: '2027-01-20' }, net: 0 })

  on(s, '2027-01-20')
  store.expire(second)
  await deliverAll(s)
  await step({ events: ['purchase.expired', 'entitlement.revoked'], access: {}, net: 0 })
  expect(await endReason(s, 'svc_zac')).toBe('UNSUBSCRIBED')
})

test('Amy pays in cash at the corner shop, two days after she chose', async () => {
  const step = follow(s, 'svc_amy')
  const [month, coins] = [store.subscribePending(ANDROID_MONTHLY), store.buyPending('coins.100')]
  await s.get('/v1/me', 'svc_amy')
  const unpaid = (token: string, productId: string) =>
    expectRefused(s, () => s.token('svc_amy', token, productId), 400, 'purchase_not_paid')
  await unpaid(month, 'pro_monthly')
  await unpaid(coins, 'coins_100')
  await step({ events: [], access: {}, net: 0 })

  on(s, '2026-11-22')
  store.settle(month, true)
  store.settle(coins, true)
  await expectSubmitted(s.token('svc_amy', month, 'pro_monthly'))
  await expectSubmitted(s.token('svc_amy', coins, 'coins_100'))
  await deliverAll(s)
  await step({
    events: ['purchase.initial', 'entitlement.granted', 'purchase.non_renewing', 'currency.transaction'],
    access: { pro: '2026-12-22' },
    net: 9_990_000,
  })
  expect(await balances(s, 'svc_amy')).toEqual({ coins: 100 })
})

test('Ben never pays for the year that he chose, and his month goes on', async () => {
  const step = follow(s, 'svc_ben')
  const month = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_ben', month, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: MONTH, net: 9_990_000 })

  on(s, '2026-12-01')
  const year = store.subscribePending(ANDROID_YEARLY, { linkedToken: month })
  await expectRefused(s, () => s.token('svc_ben', year, 'pro_yearly'), 400, 'purchase_not_paid')
  on(s, '2026-12-04')
  store.settle(year, false)
  await deliverAll(s)
  await expectRefused(s, () => s.token('svc_ben', year, 'pro_yearly'), 400, 'purchase_not_paid')
  await step({ events: [], access: MONTH, net: 9_990_000 })

  on(s, '2026-12-05')
  const paid = store.subscribePending(ANDROID_YEARLY, { linkedToken: month })
  on(s, '2026-12-07')
  store.settle(paid, true)
  await deliverAll(s)
  await step({
    events: ['purchase.initial', 'purchase.product_changed', 'purchase.expired', 'entitlement.granted'],
    access: { coach: '2027-12-07', pro: '2027-12-07' },
    net: 89_980_000,
  })
})

test('Cleo gives coins back, some units first and then the rest', async () => {
  await changeSettings(s, { clawback: 'available' })
  const step = follow(s, 'svc_cleo')
  const coins = store.buy('coins.100', { quantity: 5 })
  await expectSubmitted(s.token('svc_cleo', coins, 'coins_100'))
  await deliverAll(s)
  await step({ events: ['purchase.non_renewing', 'currency.transaction'], access: {}, net: 0 })
  const spend = { amount: -300, idempotencyKey: 'ship' }
  await s.post('/v1/virtual-currencies/svc_cleo/coins/transactions', spend, { key: s.project.secretKey })
  await step({ events: ['currency.transaction'], access: {}, net: 0 })

  on(s, '2026-11-22')
  store.refundUnits(coins, 2)
  await deliverAll(s)
  await step({ events: [], access: {}, net: 0 })
  expect(await balances(s, 'svc_cleo')).toEqual({ coins: 200 })

  on(s, '2026-11-23')
  store.refundUnits(coins, 3)
  await deliverAll(s)
  await step({ events: ['purchase.refunded', 'currency.transaction'], access: {}, net: 0 })
  expect(await balances(s, 'svc_cleo')).toEqual({ coins: 0 })
})

test('Dan bought for life; what Google voids he loses, and what he subscribed to he keeps', async () => {
  const step = follow(s, 'svc_dan')
  const [forever, month] = [store.buy('lifetime.one'), store.subscribe(ANDROID_MONTHLY)]
  await expectSubmitted(s.token('svc_dan', forever, 'lifetime'))
  await expectSubmitted(s.token('svc_dan', month, 'pro_monthly'))
  await deliverAll(s)
  await step({
    events: ['purchase.non_renewing', 'entitlement.granted', 'purchase.initial'],
    access: { pro: null },
    net: 9_990_000,
  })
  on(s, '2026-11-30')
  store.refund(forever)
  await deliverAll(s)
  await step({ events: ['purchase.refunded'], access: MONTH, net: 9_990_000 })
  await expectRefused(s, () => s.token('svc_dan', forever, 'lifetime'), 400, 'RECEIPT_INVALID')
  on(s, '2026-12-20')
  store.renew(month)
  await deliverAll(s)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-01-20' }, net: 19_980_000 })
})

test('Ezra tests with a card of Google, and the project lets in nobody, then him, then everybody', async () => {
  await changeSettings(s, { sandboxAccess: 'nobody' })
  const step = follow(s, 'svc_ezra')
  const month = store.subscribe(ANDROID_MONTHLY, { isTest: true })
  await expectSubmitted(s.token('svc_ezra', month, 'pro_monthly'))
  await deliverAll(s)
  await step({ events: ['purchase.initial'], access: {}, net: 9_990_000 })
  expect((await lastEvent(s, 'svc_ezra', 'purchase.initial')).environment).toBe('SANDBOX')

  await changeSettings(s, { sandboxAccess: 'allowList', sandboxTesters: ['ezra'] })
  await step({ events: [], access: {}, net: 9_990_000 })
  await identify(s, 'svc_ezra', 'ezra')
  await step({ events: ['entitlement.granted', 'subscriber.identified'], access: MONTH, net: 9_990_000 })

  await changeSettings(s, { sandboxAccess: 'anybody' })
  await step({ events: [], access: MONTH, net: 9_990_000 })
  on(s, '2026-12-20')
  store.cancel(month)
  store.expire(month)
  await deliverAll(s)
  await step({
    events: ['purchase.expired', 'entitlement.revoked'],
    access: {},
    net: 9_990_000,
  })
})

test('Fae leaves and signs up again before her end: the old token hands over to the new one', async () => {
  const step = follow(s, 'svc_fae')
  const first = store.subscribe(ANDROID_MONTHLY)
  await expectSubmitted(s.token('svc_fae', first, 'pro_monthly'))
  await identify(s, 'svc_fae', 'fae')
  store.cancel(first)
  await deliverAll(s)
  await step({
    events: ['purchase.initial', 'entitlement.granted', 'subscriber.identified', 'purchase.cancelled'],
    access: MONTH,
    net: 9_990_000,
  })
  on(s, '2026-12-15')
  const second = store.upgrade(first, ANDROID_MONTHLY)
  await deliverAll(s)
  await step({ events: ['purchase.initial', 'purchase.expired'], access: { pro: '2027-01-15' }, net: 19_980_000 })
  // The token of the old purchase gives nothing to another person's phone.
  await expectRefused(s, () => s.token('svc_thief', first, 'pro_monthly'), 409, 'RECEIPT_IN_USE')
  await expectRefused(s, () => s.token('svc_thief', second, 'pro_monthly'), 409, 'RECEIPT_IN_USE')
  on(s, '2027-01-15')
  store.renew(second)
  await deliverAll(s)
  await step({ events: ['purchase.renewed'], access: { pro: '2027-02-15' }, net: 29_970_000 })
})
