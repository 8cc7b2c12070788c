import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addPrice, subscribe } from '../../../src/test-store/stores/payment-billing'
import { signEvent } from '../../../src/test-store/stores/payment-events'
import { closeDispute, failRefund, openDispute, refundCharge } from '../../../src/test-store/stores/payment-returns'
import * as turns from '../../../src/test-store/stores/payment-turns'
import { getFrom } from '../../../src/test-store/stores/payment-world'
import {
  access,
  balances,
  changeSettings,
  eventTypes,
  grantOnPurchase,
  identify,
  money,
  rowOf,
} from '../../support/facts'
import { type PaymentStage, paymentStage, sellThrough } from '../../support/payment'
import { staff } from '../../support/staff'
import { deliverAll, on } from '../../support/story'
import { bought, changeAndDeliver, chargeOf, payOnWeb, redeliverAll, subscribeOnWeb } from '../../support/web'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage() // It is 2026-11-20.
})
afterEach(() => s.close())

const lines = async (device: string) => money(s, (await rowOf(s, device)).id)
const sum = (amounts: [string, number | null][]) => amounts.reduce((total, [, amount]) => total + (amount ?? 0), 0)
const names = async (device: string) => Object.keys(await access(s, device)).sort()
const idOf = async (device: string): Promise<string> => (await s.get('/v1/me', device)).body.data.subscriber.id

describe('refund and revoke counted twice', () => {
  for (const order of ['refunded, then lost', 'lost, then refunded'])
    test(`a charge that is ${order} at the bank`, async () => {
      const year = await bought(s, 'svc_ada', '$svc_annual')
      on(s, '2026-11-25')
      const charge = chargeOf(s, year)
      const refund = () => refundCharge(s.world, charge)
      const lose = () => closeDispute(s.world, openDispute(s.world, charge).id, 'lost')
      for (const back of order.startsWith('refunded') ? [refund, lose] : [lose, refund]) {
        await changeAndDeliver(s, back)
        s.ctx.clock.advance(60_000)
      }
      await redeliverAll(s, 'svc_ada')
      const returned = (await lines('svc_ada')).slice(1)
      expect(returned.map(([, amount]) => amount)).toEqual([-79_990_000])
      const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
      expect(types.filter((type) => type === 'purchase.refunded')).toHaveLength(1)
      expect(await names('svc_ada')).toEqual([])
    })
  test('a refund that three kinds of event tell, and a replay', async () => {
    const year = await bought(s, 'svc_ada', '$svc_annual')
    on(s, '2026-11-25')
    const refund = refundCharge(s.world, chargeOf(s, year))
    s.world.emit('charge.refund.updated', refund)
    s.world.emit('charge.refunded', getFrom(s.world.charges, chargeOf(s, year)))
    await deliverAll(s)
    await redeliverAll(s, 'svc_ada')
    expect(await lines('svc_ada')).toEqual([
      ['INITIAL', 79_990_000],
      ['REFUND', -79_990_000],
    ])
  })
})

describe('revenue doubled on redelivery', () => {
  test('a month and its renewal, everything thrice, and under new event ids', async () => {
    const month = await bought(s, 'svc_ada')
    on(s, '2026-12-20')
    await changeAndDeliver(s, () => turns.renew(s.world, month))
    const expected: [string, number][] = [
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
    ]
    const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
    for (let round = 0; round < 2; round++) await redeliverAll(s, 'svc_ada')
    for (const { type, data } of [...s.world.events]) s.world.emit(type as 'invoice.paid', data.object)
    await deliverAll(s)
    expect(await lines('svc_ada')).toEqual(expected)
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual(types)
  })
  test('told again after a merge', async () => {
    await bought(s, 'svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_ada_2', 'ada')
    for (const device of ['svc_ada', 'svc_ada_2']) await redeliverAll(s, device)
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
    expect(await lines('svc_ada_2')).toEqual([['INITIAL', 9_990_000]])
  })
})

describe('partial refund treated as full', () => {
  beforeEach(() => changeSettings(s, { clawback: 'full' }))
  test('of a month, and of coins', async () => {
    const sales = [await bought(s, 'svc_ada'), payOnWeb(s, 'price_coins', { subscriberId: await idOf('svc_ada') })]
    for (const id of sales) await changeAndDeliver(s, () => refundCharge(s.world, chargeOf(s, id), 33))
    await redeliverAll(s, 'svc_ada')
    expect((await lines('svc_ada')).filter(([kind]) => kind === 'REFUND')).toEqual([
      ['REFUND', -330_000],
      ['REFUND', -330_000],
    ])
    expect([await names('svc_ada'), await balances(s, 'svc_ada')]).toEqual([['pro'], { coins: 67 }])
    const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
    expect(types.filter((type) => type === 'entitlement.revoked')).toEqual([])
  })
  test('a bank that takes a part of it', async () => {
    const month = await bought(s, 'svc_ada')
    const { id } = openDispute(s.world, chargeOf(s, month), 400)
    await changeAndDeliver(s, () => closeDispute(s.world, id, 'lost'))
    await redeliverAll(s, 'svc_ada')
    expect([await names('svc_ada'), sum(await lines('svc_ada'))]).toEqual([['pro'], 5_990_000])
  })
})

describe('sandbox in money figures', () => {
  test('each line and event is of the mode of its purchase, and one mode never tells of the other', async () => {
    const tested = await bought(s, 'svc_ada', '$svc_annual')
    await sellThrough(s, s.project, null, 'live')
    const paid = await subscribeOnWeb(s, 'svc_ada')
    getFrom(s.world.subscriptions, paid).livemode = true
    // Events of test mode are kept meanwhile, and have no effect.
    on(s, '2026-11-25')
    refundCharge(s.world, chargeOf(s, tested))
    for (const event of s.world.events) {
      const livemode = event.type !== 'charge.refunded'
      await s.deliver(await signEvent({ ...event, livemode }, { secret: s.secret, now: s.ctx.clock.now() }))
    }
    const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
    const figures = rows.map(({ environment, usdMicros, kind }) => `${environment} ${kind} ${usdMicros}`)
    expect(figures.sort()).toEqual(['PRODUCTION INITIAL 9990000', 'SANDBOX INITIAL 79990000'])
    const events = (await s.events(await idOf('svc_ada'))).filter(({ type }) => type.startsWith('purchase.'))
    expect(events.map(({ type, environment }) => [type, environment])).toEqual([
      ['purchase.initial', 'SANDBOX'],
      ['purchase.initial', 'PRODUCTION'],
    ])
  })
})

describe('price off by a factor of 1000', () => {
  const prices: [currency: string, amount: number, micros: number][] = [
    ['usd', 999, 9_990_000],
    ['usd', 49, 490_000],
    ['jpy', 1200, 1_200_000_000],
    ['krw', 15_000, 15_000_000_000],
    ['kwd', 3250, 3_250_000],
    ['ugx', 500_000, 5_000_000_000],
    ['huf', 129_900, 1_299_000_000],
  ]
  test('of a subscription and of coins, and given back in parts, whatever the decimals of the currency', async () => {
    const team = staff(s)
    for (const [currency, amount, amountMicros] of prices) {
      const device = `svc_${currency}_${amount}`
      const metadata = { svc_subscriber_id: await idOf(device) }
      const id = `price_${currency}_${amount}`
      addPrice(s.world, { id, amount, currency, interval: 'month' })
      const product = {
        identifier: id,
        displayName: id,
        type: 'SUBSCRIPTION',
        period: 'P1M',
        storeIds: { payment: id },
      }
      expect((await team.as('DEVELOPER').post('/products', product)).status).toBe(201)
      const sale = subscribe(s.world, { priceId: id, metadata })
      refundCharge(s.world, chargeOf(s, sale.id), amount / (amount % 2 === 0 ? 2 : 1))
      for (const answer of await s.deliverAll()) expect(answer.status).toBe(200)
      const back = amount % 2 === 0 ? amountMicros / 2 : amountMicros
      expect([currency, await lines(device)]).toEqual([
        currency,
        [
          ['INITIAL', amountMicros],
          ['REFUND', -back],
        ],
      ])
      const [initial] = await s.events(await idOf(device))
      expect(initial?.data.transaction).toMatchObject({ price: { amountMicros, currency: currency.toUpperCase() } })
    }
  })
})

describe('renewal re-posted by a client granting purchase currency again', () => {
  test('a purchase grants once, its renewals nothing', async () => {
    await grantOnPurchase(s)
    const month = await bought(s, 'svc_ada')
    for (const day of ['2026-12-20', '2027-01-20']) {
      on(s, day)
      await changeAndDeliver(s, () => turns.renew(s.world, month))
      await redeliverAll(s, 'svc_ada')
      expect(await balances(s, 'svc_ada')).toEqual({ coins: 70 })
    }
  })
  test('each renewal grants once', async () => {
    const year = await bought(s, 'svc_ada', '$svc_annual')
    on(s, '2027-11-20')
    await changeAndDeliver(s, () => turns.renew(s.world, year))
    await redeliverAll(s, 'svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_new', 'ada')
    await redeliverAll(s, 'svc_new')
    expect(await balances(s, 'svc_new')).toEqual({ coins: 1000 })
  })
  test('neither does a change of plan, however often', async () => {
    const plan = await bought(s, 'svc_ada', '$svc_annual')
    for (const price of ['price_monthly', 'price_yearly', 'price_monthly', 'price_yearly']) {
      s.ctx.clock.advance(3_600_000)
      await changeAndDeliver(s, () => turns.changePrice(s.world, plan, price))
    }
    await redeliverAll(s, 'svc_ada')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })
})

describe('reversal impossible after refund', () => {
  const reversals: [name: string, back: (charge: string) => () => unknown][] = [
    [
      'a refund that failed',
      (charge) => {
        const { id } = refundCharge(s.world, charge)
        return () => failRefund(s.world, id)
      },
    ],
    [
      'a dispute that was lost and is won',
      (charge) => {
        const { id } = openDispute(s.world, charge)
        closeDispute(s.world, id, 'lost')
        return () => closeDispute(s.world, id, 'won')
      },
    ],
  ]
  for (const [name, back] of reversals)
    test(name, async () => {
      await changeSettings(s, { clawback: 'full' })
      const subscriberId = await idOf('svc_ada')
      const all = [await bought(s, 'svc_ada')]
      for (const price of ['price_lifetime', 'price_coins']) all.push(payOnWeb(s, price, { subscriberId }))
      await deliverAll(s)
      on(s, '2026-11-25')
      const undo = all.map((id) => back(chargeOf(s, id)))
      await deliverAll(s)
      const state = async () => [sum(await lines('svc_ada')), await access(s, 'svc_ada'), await balances(s, 'svc_ada')]
      expect(await state()).toEqual([0, {}, { coins: 0 }])
      on(s, '2026-11-30')
      await changeAndDeliver(s, () => {
        for (const one of undo) one()
      })
      expect(await state()).toEqual([210_970_000, { pro: null }, { coins: 100 }])
      await redeliverAll(s, 'svc_ada')
      expect(await state()).toEqual([210_970_000, { pro: null }, { coins: 100 }])
    })
})
