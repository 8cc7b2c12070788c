import { afterEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { simulatedCopy } from '../../src/test-store/stores/ios'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import * as items from '../../src/test-store/stores/payment-items'
import { chargeOfInvoice, refundCharge } from '../../src/test-store/stores/payment-returns'
import * as turns from '../../src/test-store/stores/payment-turns'
import { getFrom } from '../../src/test-store/stores/payment-world'
import { ANDROID_MONTHLY, androidStage } from '../support/android'
import { COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { access, balances, changeSettings, eventTypes, money, refund, renew, rowOf } from '../support/facts'
import { notify, purchaseOf } from '../support/notify'
import { paymentStage } from '../support/payment'

// Lives of purchases that combine the rules: what comes before what it is about, and many lines at once.

let s: Stage
afterEach(() => s.close())

const moneyOf = async (device: string) => money(s, (await rowOf(s, device)).id)
const sumOf = (lines: readonly (readonly unknown[])[]) =>
  lines.reduce((sum, [, micros]) => sum + Number(micros ?? 0), 0)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

describe('at the App Store', () => {
  const begin = async () => {
    s = await stage()
  }
  const copyOf = (payload: ReturnType<Stage['buy']>, transactionId: string) => {
    s.ctx.clock.advance(1000)
    return simulatedCopy(payload, { transactionId, now: s.ctx.clock.now() })
  }

  test('a refund that names a copy nobody has seen holds for the first transaction, which comes later', async () => {
    await begin()
    const year = { ...s.buy(YEARLY), webOrderLineItemId: '700000000000001' }
    const unseen = copyOf(year, '3000000000000001')
    expect((await notify(s, ['REFUND', null], refund(s, unseen))).status).toBe(200)
    expect((await s.receipt('svc_ada', year)).status).toBe(200)
    expect([await access(s, 'svc_ada'), sumOf(await moneyOf('svc_ada')), (await purchases()).length]).toEqual([
      {},
      0,
      1,
    ])
    // A copy that was signed after the refund, without a mark of it, says that the refund was taken back.
    expect((await s.receipt('svc_ada', copyOf(year, '3000000000000002'))).status).toBe(200)
    expect([Object.keys(await access(s, 'svc_ada')).sort(), sumOf(await moneyOf('svc_ada'))]).toEqual([
      ['coach', 'pro'],
      79_990_000,
    ])
    expect(await purchases()).toHaveLength(1)
  })

  test('a transaction without the mark of its refund takes the refund back only when it was signed after it', async () => {
    await begin()
    const bought = s.buy(MONTHLY)
    await s.receipt('svc_ada', bought)
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND', null], refund(s, bought))
    await s.receipt('svc_ada', bought)
    expect(await access(s, 'svc_ada')).toEqual({})
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_ada', { ...bought, signedDate: s.ctx.clock.now() })
    expect([Object.keys(await access(s, 'svc_ada')), sumOf(await moneyOf('svc_ada'))]).toEqual([['pro'], 9_990_000])
  })

  test('a refund of a third of some coins takes back a third, rounded down, and once', async () => {
    await begin()
    const { virtualCurrencies: v } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(v).set({ clawback: 'full' }))
    s.ctx.state.projects.forget(s.project.id)
    const coins = s.buy(COINS)
    await s.receipt('svc_ada', coins)
    s.ctx.clock.advance(1000)
    const part = { ...refund(s, coins), revocationType: 'REFUND_PRORATED', revocationPercentage: 33_333 }
    for (const _ of [1, 2]) await notify(s, ['REFUND', null], part)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 67 })
  })

  test('a refund of an earlier period takes its money and no access, and of the running one the access', async () => {
    await begin()
    const first = s.buy(MONTHLY)
    await s.receipt('svc_ada', first)
    s.ctx.clock.set(first.expiresDate ?? 0)
    const second = renew(s, first, MONTHLY)
    await s.receipt('svc_ada', second)
    s.ctx.clock.advance(DAY)
    await notify(s, ['REFUND', null], refund(s, first))
    expect([Object.keys(await access(s, 'svc_ada')), sumOf(await moneyOf('svc_ada'))]).toEqual([['pro'], 9_990_000])
    await notify(s, ['REFUND', null], refund(s, second))
    expect([await access(s, 'svc_ada'), sumOf(await moneyOf('svc_ada'))]).toEqual([{}, 0])
  })

  test('a notification of an unknown type counts as a report of its transaction, with its revocation', async () => {
    await begin()
    const bought = s.buy(MONTHLY)
    expect((await notify(s, ['SOMETHING_NEW', null] as never, bought)).status).toBe(200)
    const { subscriberId } = await purchaseOf(s, bought)
    expect(await eventTypes(s, subscriberId)).toContain('entitlement.granted')
    s.ctx.clock.advance(DAY)
    expect((await notify(s, ['ANOTHER_NEW', null] as never, refund(s, bought))).status).toBe(200)
    expect((await eventTypes(s, subscriberId)).filter((type) => type === 'entitlement.revoked')).toHaveLength(1)
  })
})

describe('at the payment provider', () => {
  async function begin(settings: object = {}) {
    const one = await paymentStage()
    s = one
    if (Object.keys(settings).length > 0) await changeSettings(s, settings)
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    const tell = async () => {
      for (const { status } of await one.deliverAll()) expect(status).toBe(200)
    }
    const buy = (priceId: string, ...others: string[]) =>
      subscribe(one.world, { priceId, others, metadata: { svc_subscriber_id: id } }).id
    const invoiceOf = (sale: string) => String(getFrom(one.world.subscriptions, sale).latest_invoice)
    return { world: one.world, id, tell, buy, invoiceOf }
  }
  const names = async () => Object.keys(await access(s, 'svc_ada')).sort()

  test('twenty items of which none is in the catalogue make no subscriber, no event, no figure and no access', async () => {
    const { tell, buy, id } = await begin()
    buy('price_nobody', ...Array(19).fill('price_nobody'))
    await tell()
    const sales = await s.ctx.db.select().from(s.ctx.tables.unlistedSales)
    expect([sales.length, await purchases(), await names(), await eventTypes(s, id)]).toEqual([20, [], [], []])
    expect(await s.ctx.db.select().from(s.ctx.tables.figureEntries)).toEqual([])
  })

  test('of twenty items the last one is known: it gives its access, and a part of the refund is divided to the cent', async () => {
    const { world, tell, buy, invoiceOf } = await begin()
    const sale = buy('price_nobody', ...Array(18).fill('price_nobody'), 'price_monthly')
    await tell()
    expect([await names(), (await purchases()).length]).toEqual([['pro'], 20])
    const total = sumOf(await moneyOf('svc_ada'))
    expect(total).toBe((19 * 500 + 999) * 10_000)
    refundCharge(world, chargeOfInvoice(world, invoiceOf(sale)), 1237)
    await tell()
    await tell()
    expect([sumOf(await moneyOf('svc_ada')), await names()]).toEqual([total - 12_370_000, ['pro']])
  })

  test('a refund of the charge for seats takes its money and no access', async () => {
    const { world, tell, buy, invoiceOf } = await begin()
    const sale = buy('price_monthly')
    await tell()
    s.ctx.clock.advance(10 * DAY)
    const item = getFrom(world.subscriptions, sale).items.data[0]?.id ?? ''
    items.setQuantity(world, sale, item, 3)
    await tell()
    const before = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
    expect(before.filter((type) => type === 'purchase.renewed')).toEqual([])
    refundCharge(world, chargeOfInvoice(world, invoiceOf(sale)))
    await tell()
    expect([await names(), sumOf(await moneyOf('svc_ada'))]).toEqual([['pro'], 9_990_000])
  })

  test('a change to a cheaper price takes nothing, what is left pays for the next period, and refunds are as much as was paid', async () => {
    const { world, tell, buy, invoiceOf } = await begin()
    const sale = buy('price_yearly')
    await tell()
    const paid = sumOf(await moneyOf('svc_ada'))
    s.ctx.clock.advance(30 * DAY)
    turns.changePrice(world, sale, 'price_monthly')
    await tell()
    expect([await names(), sumOf(await moneyOf('svc_ada'))]).toEqual([['pro'], paid])
    turns.renew(world, sale)
    await tell()
    const took = [...world.invoices.values()].reduce((sum, { amount_paid }) => sum + amount_paid, 0)
    expect([sumOf(await moneyOf('svc_ada')), invoiceOf(sale) === '']).toEqual([took * 10_000, false])
  })

  test('a paused collection keeps what is paid, and then what the project says', async () => {
    const { world, tell, buy } = await begin({ pausedCollection: 'noAccess' })
    const sale = buy('price_monthly')
    await tell()
    s.ctx.clock.advance(DAY)
    turns.pauseCollection(world, sale)
    await tell()
    expect(await names()).toEqual(['pro'])
    s.ctx.clock.advance(32 * DAY)
    turns.beginPeriod(world, sale)
    await tell()
    expect(await names()).toEqual([])
    turns.resume(world, sale)
    turns.settle(world, sale)
    await tell()
    expect(await names()).toEqual(['pro'])
  })
})

describe('at Google Play', () => {
  const plan = (number: number) => ({
    ...{ productId: `unknown${number}`, basePlanId: 'monthly', period: 'P1M' },
    price: { amountMicros: 1_000_000, currency: 'USD' },
  })

  test('twenty items of which none is known: unknown product 404, known one that is not among them 400', async () => {
    const one = await androidStage()
    s = one
    const [first, ...others] = Array.from({ length: 20 }, (_, number) => plan(number))
    if (!first) throw new Error('no plan')
    const token = one.server.store.subscribe(first, { addons: others })
    const unknown = await one.token('svc_ada', token, 'unknown3')
    const known = await one.token('svc_ada', token, 'pro_monthly')
    expect([unknown, known].map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'RECEIPT_PRODUCT_UNKNOWN'],
      [400, 'RECEIPT_INVALID'],
    ])
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('of twenty items the last is known: any order of receipt and pushes gives it, and a line each', async () => {
    const one = await androidStage()
    s = one
    const [first, ...others] = Array.from({ length: 19 }, (_, number) => plan(number))
    if (!first) throw new Error('no plan')
    const token = one.server.store.subscribe(first, { addons: [...others, ANDROID_MONTHLY] })
    one.server.faults = { isDoubled: true, isReordered: true }
    await one.deliverAll()
    expect((await one.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
    expect([Object.keys(await access(s, 'svc_ada')), (await purchases()).length]).toEqual([['pro'], 20])
    expect(sumOf(await moneyOf('svc_ada'))).toBe(19_000_000 + 9_990_000)
  })
})
