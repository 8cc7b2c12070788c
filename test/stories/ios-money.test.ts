import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { permutations } from '../../src/people/purchases/laws/arrivals.fixtures'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { NotificationKind } from '../../src/test-store/stores/notification'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { balances, changeSettings, lastEvent, money, refund, renew, rowOf } from '../support/facts'
import { deliver, notificationBody } from '../support/notify'
import { expectSubmitted, expectTaken, follow, notifyNew, on, sweep } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
})
afterEach(() => s.close())

const kinds = async (device: string) => (await money(s, (await rowOf(s, device)).id)).map(([kind]) => kind)

test('Yan goes up from the month to the year, and is given back what was left of the month', async () => {
  const step = follow(s, 'svc_yan')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_yan', month))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  on(s, '2026-11-30')
  const year = s.buy(YEARLY, { previous: month })
  await notifyNew(s, ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'], year)
  const both = { coach: '2027-11-30', pro: '2027-11-30' }
  await step({ events: ['purchase.product_changed', 'entitlement.granted'], access: both, net: 89_980_000 })

  on(s, '2026-12-01')
  const part = { isUpgraded: true, revocationType: 'REFUND_PRORATED', revocationPercentage: 66_667 }
  const left = { ...refund(s, month), ...part }
  const renewal = { autoRenewStatus: 1, productId: YEARLY.productId, autoRenewProductId: YEARLY.productId }
  await notifyNew(s, ['REFUND', null], left, { renewal })
  // 66.667 % of 9.99 are 6.660033.
  await step({ events: ['purchase.refunded'], access: both, net: 83_319_967 })
  expect((await lastEvent(s, 'svc_yan', 'purchase.refunded')).data).toMatchObject({ current: false })
  await expectSubmitted(s.receipt('svc_yan', left))
  await step({ events: [], access: both, net: 83_319_967 })

  on(s, '2026-12-20')
  await sweep(s)
  await step({ events: [], access: both, net: 83_319_967 })
  expect(await kinds('svc_yan')).toEqual(['INITIAL', 'PRODUCT_CHANGE', 'REFUND'])
})

test('Cal is refunded, the refund is taken back, and he is refunded for good', async () => {
  const step = follow(s, 'svc_cal')
  const bought = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_cal', bought))
  await step({ events: ['purchase.initial', 'entitlement.granted'], access: { pro: '2026-12-20' }, net: 9_990_000 })

  const lost = ['purchase.refunded', 'entitlement.revoked']
  on(s, '2026-11-25')
  await notifyNew(s, ['REFUND', null], refund(s, bought))
  await step({ events: lost, access: {}, net: 0 })

  on(s, '2026-11-28')
  await notifyNew(s, ['REFUND_REVERSED', null], bought)
  await step({
    events: ['purchase.refund_reversed', 'purchase.uncancelled', 'entitlement.granted'],
    access: { pro: '2026-12-20' },
    net: 9_990_000,
  })

  on(s, '2026-12-01')
  await notifyNew(s, ['REFUND', null], refund(s, bought))
  await step({ events: lost, access: {}, net: 0 })
  await expectSubmitted(s.receipt('svc_cal', bought)) // Signed on the first day.
  await sweep(s)
  await step({ events: [], access: {}, net: 0 })
  expect(await kinds('svc_cal')).toEqual(['INITIAL', 'REFUND', 'REFUND_REVERSAL', 'REFUND'])
})

test('Jill is refunded for a month long gone, and keeps the one that runs', async () => {
  const step = follow(s, 'svc_jill')
  const first = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_jill', first))
  on(s, '2026-12-19')
  await notifyNew(s, ['DID_RENEW', null], renew(s, first, MONTHLY))
  const access = { pro: '2027-01-20' }
  await step({ events: ['purchase.initial', 'entitlement.granted', 'purchase.renewed'], access, net: 19_980_000 })

  on(s, '2027-01-02')
  await notifyNew(s, ['REFUND', null], refund(s, first), { renewal: { autoRenewStatus: 1 } })
  await step({ events: ['purchase.refunded'], access, net: 9_990_000 })
  expect((await lastEvent(s, 'svc_jill', 'purchase.refunded')).data).toMatchObject({
    current: false,
    refund: { amountMicros: 9_990_000, currency: 'USD' },
  })
  on(s, '2027-01-04')
  await notifyNew(s, ['REFUND_REVERSED', null], first)
  await step({ events: ['purchase.refund_reversed'], access, net: 19_980_000 })
})

test('Eva asks for her money twice, and is declined', async () => {
  const step = follow(s, 'svc_eva')
  const pack = s.buy(COINS)
  await expectSubmitted(s.receipt('svc_eva', pack))
  await step({ events: ['purchase.non_renewing', 'currency.transaction'], access: {}, net: 990_000 })
  for (const day of ['2026-11-22', '2026-11-29']) {
    on(s, day)
    await notifyNew(s, ['CONSUMPTION_REQUEST', null], pack)
    await notifyNew(s, ['REFUND_DECLINED', null], pack)
    await step({ events: [], access: {}, net: 990_000 })
  }
  expect(await balances(s, 'svc_eva')).toEqual({ coins: 100 })
})

test('Finn spends coins that he is refunded for, and owes them until the refund is taken back', async () => {
  await changeSettings(s, { clawback: 'full' })
  const packs = s.buy(COINS, { quantity: 3 })
  await notifyNew(s, ['ONE_TIME_CHARGE', null], packs)
  const step = follow(s, 'svc_finn')
  await expectSubmitted(s.receipt('svc_finn', packs))
  await step({ events: ['currency.transaction', 'subscriber.transferred'], access: {}, net: 2_970_000 })
  expect(await balances(s, 'svc_finn')).toEqual({ coins: 300 })

  const spend = { amount: -250, idempotencyKey: 'castle' }
  await s.post('/v1/virtual-currencies/svc_finn/coins/transactions', spend, { key: s.project.secretKey })
  await step({ events: ['currency.transaction'], access: {}, net: 2_970_000 })

  on(s, '2026-11-24')
  await notifyNew(s, ['REFUND', null], refund(s, packs))
  await step({ events: ['purchase.refunded', 'currency.transaction'], access: {}, net: 0 })
  expect(await balances(s, 'svc_finn')).toEqual({ coins: -250 })

  on(s, '2026-12-01')
  await notifyNew(s, ['REFUND_REVERSED', null], packs)
  await step({ events: ['purchase.refund_reversed', 'currency.transaction'], access: {}, net: 2_970_000 })
  expect(await balances(s, 'svc_finn')).toEqual({ coins: 50 })
})

test('Gia gets half the price of her coins back, and half of them go', async () => {
  await changeSettings(s, { clawback: 'full' })
  const step = follow(s, 'svc_gia')
  const packs = s.buy(COINS, { quantity: 2 })
  await expectSubmitted(s.receipt('svc_gia', packs))
  await step({ events: ['purchase.non_renewing', 'currency.transaction'], access: {}, net: 1_980_000 })
  on(s, '2026-11-24')
  const half = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }
  await notifyNew(s, ['REFUND', null], { ...refund(s, packs), ...half })
  await step({ events: ['purchase.refunded', 'currency.transaction'], access: {}, net: 990_000 })
  expect(await balances(s, 'svc_gia')).toEqual({ coins: 100 })
})

test('Mia gets half back, loses that again and gets the whole: her coins go once, in any order of the news', async () => {
  await changeSettings(s, { clawback: 'full' })
  const half = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }
  for (const order of permutations([0, 1, 2])) {
    const device = `svc_mia_${order.join('')}`
    const packs = s.buy(COINS, { quantity: 2 })
    await expectSubmitted(s.receipt(device, packs))
    const news = [
      signedTwice(['REFUND', null], () => ({ ...refund(s, packs), ...half })),
      signedTwice(['REFUND_REVERSED', null], () => packs),
      signedTwice(['REFUND', null], () => refund(s, packs)),
      signedTwice(['REFUND_REVERSED', null], () => packs),
    ]
    for (const body of order.flatMap((index) => news[index] ?? [])) expectTaken(await deliver(s, body))
    expect([device, await balances(s, device)]).toEqual([device, { coins: 0 }])
    for (const body of news[3] ?? []) expectTaken(await deliver(s, body))
    expect([device, await balances(s, device)]).toEqual([device, { coins: 200 }])
  }
})

/** A day later, the store signs a change of a purchase in two notifications. */
function signedTwice(kind: NotificationKind, payloadOf: () => TransactionPayload) {
  s.ctx.clock.advance(DAY)
  return [notificationBody(s, kind, payloadOf()), notificationBody(s, kind, payloadOf())]
}

test('Hugo bought for life while he subscribes: the refund of one leaves the other', async () => {
  const step = follow(s, 'svc_hugo')
  const month = s.buy(MONTHLY)
  await expectSubmitted(s.receipt('svc_hugo', month))
  const forever = s.buy(LIFETIME)
  await expectSubmitted(s.receipt('svc_hugo', forever))
  await step({
    events: ['purchase.initial', 'entitlement.granted', 'purchase.non_renewing'],
    access: { pro: null },
    net: 209_980_000,
  })

  on(s, '2026-11-27')
  await notifyNew(s, ['REFUND', null], refund(s, forever))
  await step({ events: ['purchase.refunded'], access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-11-29')
  await notifyNew(s, ['REFUND_REVERSED', null], forever)
  await step({ events: ['purchase.refund_reversed'], access: { pro: null }, net: 209_980_000 })

  on(s, '2026-12-20')
  await notifyNew(s, ['EXPIRED', 'VOLUNTARY'], month)
  await step({ events: ['purchase.expired'], access: { pro: null }, net: 209_980_000 })
})
