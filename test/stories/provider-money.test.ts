import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeDispute, failRefund, openDispute, refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import type { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { balances, changeSettings, lastEvent, money, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage } from '../support/payment'
import { deliverAll, follow, on, sweep } from '../support/story'
import { changeAndDeliver, chargeOf, payOnWeb, subscribeOnWeb } from '../support/web'

let s: PaymentStage
let world: PaymentWorld
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
  world = s.world
})
afterEach(() => s.close())

const BOUGHT = ['purchase.initial', 'entitlement.granted']

const idOf = async (device: string): Promise<string> => (await s.get('/v1/me', device)).body.data.subscriber.id

test('Hew gets part of his money back and stays; the rest of it ends his month', async () => {
  const step = follow(s, 'svc_hew')
  const month = await subscribeOnWeb(s, 'svc_hew')
  await deliverAll(s)
  on(s, '2026-11-25')
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, month), 300))
  await step({ events: [...BOUGHT, 'purchase.refunded'], access: { pro: '2026-12-20' }, net: 6_990_000 })
  on(s, '2026-11-28')
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, month), 200))
  await step({ events: ['purchase.refunded'], access: { pro: '2026-12-20' }, net: 4_990_000 })
  on(s, '2026-11-30')
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, month)))
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 0 })
})

test('Ivo gets the first month back in the third one, and keeps the third', async () => {
  const step = follow(s, 'svc_ivo')
  const month = await subscribeOnWeb(s, 'svc_ivo')
  await deliverAll(s)
  for (const day of ['2026-12-20', '2027-01-20']) {
    on(s, day)
    await changeAndDeliver(s, () => turns.renew(world, month))
  }
  const access = { pro: '2027-02-20' }
  await step({ events: [...BOUGHT, 'purchase.renewed', 'purchase.renewed'], access, net: 29_970_000 })
  on(s, '2027-01-25')
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, month, 'first')))
  await step({ events: ['purchase.refunded'], access, net: 19_980_000 })
  expect((await lastEvent(s, 'svc_ivo', 'purchase.refunded')).data.current).toBe(false)
  on(s, '2027-01-26')
  await changeAndDeliver(s, () => refundCharge(world, chargeOf(s, month)))
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 9_990_000 })
  on(s, '2027-02-20') // At the provider the subscription continues without access, so the next month is paid.
  await changeAndDeliver(s, () => turns.renew(world, month))
  await step({ events: ['purchase.renewed', 'entitlement.granted'], access: { pro: '2027-03-20' }, net: 19_980_000 })
})

test('Jay disputes a year at his bank and wins it, with the coins of it', async () => {
  await changeSettings(s, { clawback: 'full' })
  const step = follow(s, 'svc_jay')
  const year = await subscribeOnWeb(s, 'svc_jay', { slot: '$svc_annual' })
  await deliverAll(s)
  const access = { coach: '2027-11-20', pro: '2027-11-20' }
  const granted = ['currency.transaction', 'entitlement.granted', 'entitlement.granted']
  await step({ events: ['purchase.initial', ...granted], access, net: 79_990_000 })
  on(s, '2026-12-10')
  const { id } = openDispute(world, chargeOf(s, year))
  await deliverAll(s)
  await step({ events: [], access, net: 79_990_000 }) // The dispute is not decided yet.
  on(s, '2027-01-10')
  await changeAndDeliver(s, () => closeDispute(world, id, 'lost'))
  await step({
    events: ['purchase.refunded', 'currency.transaction', 'entitlement.revoked', 'entitlement.revoked'],
    access: {},
    net: 0,
  })
  expect((await money(s, await idOf('svc_jay'))).map(([kind]) => kind)).toEqual(['INITIAL', 'CHARGEBACK'])
  expect(await balances(s, 'svc_jay')).toEqual({ coins: 0 })
  on(s, '2027-01-20')
  await changeAndDeliver(s, () => turns.endNow(world, year, 'payment_disputed'))
  await step({ events: ['purchase.cancelled'], access: {}, net: 0 })
})

test("Kia's bank lets the seller keep the money, at once or after an appeal", async () => {
  const step = follow(s, 'svc_kia')
  const month = await subscribeOnWeb(s, 'svc_kia')
  await deliverAll(s)
  on(s, '2026-11-25')
  await changeAndDeliver(s, () => closeDispute(world, openDispute(world, chargeOf(s, month)).id, 'won'))
  await step({ events: BOUGHT, access: { pro: '2026-12-20' }, net: 9_990_000 })
  on(s, '2026-12-20')
  await changeAndDeliver(s, () => turns.renew(world, month))
  on(s, '2026-12-25')
  const { id } = openDispute(world, chargeOf(s, month))
  await changeAndDeliver(s, () => closeDispute(world, id, 'lost'))
  await step({
    events: ['purchase.renewed', 'purchase.refunded', 'entitlement.revoked'],
    access: {},
    net: 9_990_000,
  })
  on(s, '2027-01-05')
  await changeAndDeliver(s, () => closeDispute(world, id, 'won'))
  await step({
    events: ['purchase.refund_reversed', 'entitlement.granted'],
    access: { pro: '2027-01-20' },
    net: 19_980_000,
  })
})

test('Lia buys coins and a lifetime, gets the lifetime back, and the bank sends the money back to the seller', async () => {
  const step = follow(s, 'svc_lia')
  const subscriberId = await idOf('svc_lia')
  payOnWeb(s, 'price_coins', { subscriberId })
  await deliverAll(s)
  await step({ events: ['purchase.non_renewing', 'currency.transaction'], access: {}, net: 990_000 })
  expect(await balances(s, 'svc_lia')).toEqual({ coins: 100 })
  const forever = payOnWeb(s, 'price_lifetime', { subscriberId })
  await deliverAll(s)
  await step({ events: ['purchase.non_renewing', 'entitlement.granted'], access: { pro: null }, net: 200_980_000 })

  on(s, '2027-06-01')
  const { id } = refundCharge(world, chargeOf(s, forever))
  await deliverAll(s)
  await step({ events: ['purchase.refunded', 'entitlement.revoked'], access: {}, net: 990_000 })
  on(s, '2027-06-09')
  await changeAndDeliver(s, () => failRefund(world, id))
  await sweep(s)
  await step({
    events: ['purchase.refund_reversed', 'entitlement.granted'],
    access: { pro: null },
    net: 200_980_000,
  })
  expect(await balances(s, 'svc_lia')).toEqual({ coins: 100 })
})

test('Mac has a coupon for all of it: a lifetime for nothing', async () => {
  const step = follow(s, 'svc_mac')
  payOnWeb(s, 'price_lifetime', { subscriberId: await idOf('svc_mac'), isFree: true })
  await deliverAll(s)
  await step({ events: ['purchase.non_renewing', 'entitlement.granted'], access: { pro: null }, net: 0 })
  const { id } = await rowOf(s, 'svc_mac')
  expect(await money(s, id)).toEqual([['NON_RENEWING_PURCHASE', 0]])
  on(s, '2030-01-01')
  await sweep(s)
  await step({ events: [], access: { pro: null }, net: 0 })
})
