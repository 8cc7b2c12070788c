import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { subscribe } from '../../../src/test-store/stores/payment-billing'
import { completeCheckout } from '../../../src/test-store/stores/payment-checkout'
import * as turns from '../../../src/test-store/stores/payment-turns'
import { getFrom } from '../../../src/test-store/stores/payment-world'
import { access, balances, changeSettings, everything, identify, money, rowOf } from '../../support/facts'
import { type PaymentStage, paymentStage } from '../../support/payment'
import { deliverAll, on, sweep } from '../../support/story'
import { bought, changeAndDeliver, payOnWeb, redeliverAll, subscribeOnWeb } from '../../support/web'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
})
afterEach(() => s.close())

const lines = async (device: string) => money(s, (await rowOf(s, device)).id)
const sum = (amounts: [string, number | null][]) => amounts.reduce((total, [, amount]) => total + (amount ?? 0), 0)
const names = async (device: string) => Object.keys(await access(s, device)).sort()
const idOf = async (device: string): Promise<string> => (await s.get('/v1/me', device)).body.data.subscriber.id

describe('paused purchase keeping access', () => {
  test('collection paused, within the paid period and after it', async () => {
    await changeSettings(s, { pausedCollection: 'noAccess' })
    const month = await bought(s, 'svc_ada')
    on(s, '2026-12-01')
    await changeAndDeliver(s, () => turns.pauseCollection(s.world, month))
    expect(await names('svc_ada')).toEqual(['pro'])
    on(s, '2026-12-20')
    await changeAndDeliver(s, () => turns.beginPeriod(s.world, month))
    await redeliverAll(s, 'svc_ada')
    expect(await names('svc_ada')).toEqual([])
  })
  test('first seen when it was paused', async () => {
    const id = await subscribeOnWeb(s, 'svc_ada', { trialDays: 7 })
    on(s, '2026-11-27')
    turns.pause(s.world, id)
    await deliverAll(s)
    expect(await names('svc_ada')).toEqual([])
    await redeliverAll(s, 'svc_ada')
    expect(await names('svc_ada')).toEqual([])
  })
})

describe('on-hold granting access', () => {
  for (const end of ['unpaid', 'canceled'] as const)
    test(`${end}, in the days of grace and first seen so`, async () => {
      const month = await bought(s, 'svc_ada')
      const unseen = await subscribeOnWeb(s, 'svc_bo')
      on(s, '2026-12-20')
      for (const id of [month, unseen]) turns.failPayment(s.world, id)
      s.ctx.clock.advance(3_600_000)
      for (const id of [month, unseen]) turns.giveUp(s.world, id, end)
      await deliverAll(s)
      for (const device of ['svc_ada', 'svc_bo']) {
        await redeliverAll(s, device)
        expect(await names(device)).toEqual([])
      }
    })
})

describe('pending purchase granting access', () => {
  test('a first payment that is not made: incomplete, then given up', async () => {
    await idOf('svc_ada')
    const before = await everything(s)
    const { id, latest_invoice } = subscribe(s.world, {
      priceId: 'price_yearly',
      metadata: { svc_subscriber_id: (await rowOf(s, 'svc_ada')).id },
    })
    const sale = getFrom(s.world.subscriptions, id)
    Object.assign(getFrom(s.world.invoices, String(latest_invoice)), { status: 'open', amount_paid: 0 })
    for (const status of ['incomplete', 'incomplete_expired'] as const) {
      Object.assign(sale, { status, ended_at: status === 'incomplete' ? null : s.world.now })
      await changeAndDeliver(s, () => s.world.emit('customer.subscription.updated', sale))
      expect(await everything(s)).toEqual(before)
    }
    expect([await names('svc_ada'), await balances(s, 'svc_ada')]).toEqual([[], {}])
  })
  test('a bank debit under way for coins and a lifetime', async () => {
    const subscriberId = await idOf('svc_ada')
    const before = await everything(s)
    for (const price of ['price_coins', 'price_lifetime']) {
      const intent = getFrom(s.world.intents, payOnWeb(s, price, { subscriberId }))
      Object.assign(intent, { status: 'processing', amount_received: 0 })
    }
    await deliverAll(s)
    expect(await everything(s)).toEqual(before)
    for (const intent of s.world.intents.values()) Object.assign(intent, { status: 'requires_payment_method' })
    await changeAndDeliver(s, () => {
      for (const session of s.world.sessions.values()) s.world.emit('checkout.session.async_payment_failed', session)
    })
    expect(await everything(s)).toEqual(before)
  })
})

describe('grace denied because expiry passed', () => {
  test('past_due is told before or after the sweep has told the end', async () => {
    for (const device of ['svc_swift', 'svc_late']) {
      on(s, '2026-11-20')
      const month = await bought(s, device)
      on(s, '2026-12-20')
      turns.failPayment(s.world, month) // The event arrives a day late.
      on(s, '2026-12-21')
      expect(await names(device)).toEqual([])
      if (device === 'svc_late') await sweep(s)
      await deliverAll(s)
      expect(await access(s, device)).toEqual({ pro: '2026-12-27T08:00:00.000Z' })
      await redeliverAll(s, device)
      expect(await names(device)).toEqual(['pro'])
    }
  })
  test('first seen past due', async () => {
    const id = await subscribeOnWeb(s, 'svc_ada')
    on(s, '2026-12-20')
    turns.failPayment(s.world, id)
    on(s, '2026-12-22')
    await deliverAll(s)
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-27T08:00:00.000Z' })
  })
})

describe('receipt of one account unlocking another', () => {
  test("a customer's events give nothing to another subscriber, whatever the seller writes at the provider", async () => {
    const month = await bought(s, 'svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_mallory', 'mallory')
    const { id: mallory, deviceKey } = await rowOf(s, 'svc_mallory')
    const sale = getFrom(s.world.subscriptions, month)
    sale.metadata = { svc_subscriber_id: mallory, svc_device_key: deviceKey }
    await changeAndDeliver(s, () => s.world.emit('customer.subscription.updated', sale))
    on(s, '2026-12-20')
    await changeAndDeliver(s, () => turns.renew(s.world, month))
    await redeliverAll(s, 'svc_mallory')
    expect([await names('svc_mallory'), await names('svc_ada')]).toEqual([[], ['pro']])
    expect([await lines('svc_mallory'), sum(await lines('svc_ada'))]).toEqual([[], 19_980_000])
  })
  test("a checkout that another's id opened is paid for them, and never for who pays", async () => {
    const { body } = await s.checkout('svc_ada')
    await identify(s, 'svc_mallory', 'mallory')
    completeCheckout(s.world, body.data.id)
    await deliverAll(s)
    await redeliverAll(s, 'svc_mallory')
    expect([await names('svc_mallory'), await names('svc_ada')]).toEqual([[], ['pro']])
  })
  test('the provider id of a purchase opens nothing as a receipt', async () => {
    const month = await bought(s, 'svc_ada')
    await s.get('/v1/me', 'svc_mallory')
    const before = await everything(s)
    for (const store of ['PAYMENT', 'IOS_STORE'])
      await s.post('/v1/subscribers/svc_mallory/restore', {
        receipts: [{ store, receipt: month, productId: 'pro_monthly' }],
      })
    expect(await names('svc_mallory')).toEqual([])
    expect(await everything(s)).toEqual(before)
  })
})
