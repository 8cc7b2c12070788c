import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { listForReplay, replayStoreEvent } from '../../../src/intake/catch-up/replay'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../../support/android'
import { COINS, LIFETIME, MONTHLY } from '../../support/cast'
import {
  access,
  balances,
  changeSettings,
  eventTypes,
  grantOnPurchase,
  identify,
  money,
  refund,
  renew,
  rowOf,
} from '../../support/facts'
import { trustForProduction } from '../../support/notify'
import { type Bought, SHOPS } from '../../support/shops'
import { deliverAll, expectSubmitted, notifyNew, on, sweep } from '../../support/story'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage() // It is 2026-11-20.
})
afterEach(() => s.close())

const lines = async (device: string) => money(s, (await rowOf(s, device)).id)
const sum = (amounts: [string, number | null][]) => amounts.reduce((total, [, amount]) => total + (amount ?? 0), 0)
const returns = (amounts: [string, number | null][]) => amounts.filter(([kind]) => kind === 'REFUND')
const count = (types: string[], type: string) => types.filter((one) => one === type).length

/** Delivers, replays and posts everything once more. */
async function again(bought: Bought, device: string): Promise<void> {
  await bought.repeat()
  for (const id of await listForReplay(s.ctx, {})) await replayStoreEvent(s.ctx, id)
  s.ctx.clock.advance(120_000)
  await expectSubmitted(bought.show(device))
  await expectSubmitted(s.post(`/v1/subscribers/${device}/restore`, { receipts: [bought.receipt()] }))
  await sweep(s)
}

describe('refund and revoke counted twice', () => {
  for (const shop of SHOPS)
    for (const order of ['refund, then revoke', 'revoke, then refund'])
      test(`${shop.name}: ${order}`, async () => {
        const bought = await shop.buy(s, 'pro_yearly')
        await expectSubmitted(bought.show('svc_ada'))
        on(s, '2026-11-25')
        const turns = [() => bought.refund(), () => bought.revoke()]
        for (const turn of order.startsWith('refund') ? turns : turns.toReversed()) await turn()
        await again(bought, 'svc_ada')
        expect(await lines('svc_ada')).toEqual([
          ['INITIAL', 79_990_000],
          ['REFUND', -79_990_000],
        ])
        const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
        expect([count(types, 'purchase.revoked'), count(types, 'purchase.refunded') <= 1]).toEqual([1, true])
        expect(await access(s, 'svc_ada')).toEqual({})
      })
  test('App Store: a refund that the receipt, two notifications and a revocation tell', async () => {
    const forever = s.buy(LIFETIME)
    await expectSubmitted(s.receipt('svc_ada', forever))
    on(s, '2026-11-25')
    const back = refund(s, forever)
    await expectSubmitted(s.receipt('svc_ada', back))
    await notifyNew(s, ['REFUND', null], back)
    await notifyNew(s, ['REFUND', null], back)
    await notifyNew(s, ['REVOKE', null], back)
    expect(returns(await lines('svc_ada'))).toEqual([['REFUND', -199_990_000]])
  })
})

describe('revenue doubled on redelivery', () => {
  for (const shop of SHOPS) {
    test(`${shop.name}: a month and its renewal, everything thrice`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_ada'))
      on(s, '2026-12-20')
      await bought.renew()
      const expected: [string, number][] = [
        ['INITIAL', 9_990_000],
        ['RENEWAL', 9_990_000],
      ]
      expect(await lines('svc_ada')).toEqual(expected)
      const types = await eventTypes(s, (await rowOf(s, 'svc_ada')).id)
      for (let round = 0; round < 2; round++) await again(bought, 'svc_ada')
      expect(await lines('svc_ada')).toEqual(expected)
      expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual(types)
    })
    test(`${shop.name}: submitted by a new install, and after a merge`, async () => {
      const bought = await shop.buy(s, 'pro_monthly')
      for (const device of ['svc_ada', 'svc_ada_2']) await expectSubmitted(bought.show(device))
      await identify(s, 'svc_ada_2', 'ada')
      await identify(s, 'svc_ada_3', 'ada')
      for (const device of ['svc_ada_2', 'svc_ada_3']) await again(bought, device)
      expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
    })
  }
})

describe('partial refund treated as full', () => {
  beforeEach(() => changeSettings(s, { clawback: 'full' }))
  test('App Store: part of the price', async () => {
    const month = s.buy(MONTHLY)
    const coins = s.buy(COINS)
    for (const one of [month, coins]) {
      await expectSubmitted(s.receipt('svc_ada', one))
      const part = { revocationType: 'REFUND_PRORATED', revocationPercentage: 25_000 }
      await notifyNew(s, ['REFUND', null], { ...refund(s, one), ...part }, { renewal: { autoRenewStatus: 1 } })
      await expectSubmitted(s.receipt('svc_ada', { ...refund(s, one), ...part }))
    }
    expect(returns(await lines('svc_ada')).sort()).toEqual([
      ['REFUND', -247_500],
      ['REFUND', -2_497_500],
    ])
    // Access ends whatever the part; the part decides how much money and how many coins go back.
    expect([Object.keys(await access(s, 'svc_ada')), await balances(s, 'svc_ada')]).toEqual([[], { coins: 75 }])
    expect(count(await eventTypes(s, (await rowOf(s, 'svc_ada')).id), 'entitlement.revoked')).toBe(1)
  })
  test('Google Play: some of the units', async () => {
    const coins = s.server.store.buy('coins.100', { quantity: 4 })
    await expectSubmitted(s.token('svc_ada', coins, 'coins_100'))
    await deliverAll(s)
    for (const units of [1, 2]) {
      s.server.store.refundUnits(coins, units)
      await deliverAll(s)
      const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
      expect([purchase?.status, await balances(s, 'svc_ada')]).toEqual(['ACTIVE', { coins: 400 }])
    }
    s.server.store.refundUnits(coins, 1) // The last unit: now everything is refunded.
    await deliverAll(s)
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect([purchase?.status, await balances(s, 'svc_ada')]).toEqual(['REFUNDED', { coins: 0 }])
  })
})

describe('sandbox in money figures', () => {
  const paidIn = async (environment: string) => {
    const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
    return rows.filter((row) => row.environment === environment).reduce((total, row) => total + (row.usdMicros ?? 0), 0)
  }
  for (const shop of SHOPS)
    test(`${shop.name}: each line and event is of the environment of its purchase`, async () => {
      trustForProduction(s)
      const [tested, paid] = [
        await shop.buy(s, 'pro_yearly', { isTest: true, isNotified: false }),
        await shop.buy(s, 'pro_monthly', { isTest: false, isNotified: false }),
      ]
      await expectSubmitted(tested.show('svc_ada'))
      await expectSubmitted(paid.show('svc_ada'))
      expect([await paidIn('PRODUCTION'), await paidIn('SANDBOX')]).toEqual([9_990_000, 79_990_000])
      on(s, '2026-11-25')
      await tested.refund()
      await identify(s, 'svc_ada', 'ada')
      await identify(s, 'svc_ada_2', 'ada') // A merge moves both and keeps them separate.
      expect([await paidIn('PRODUCTION'), await paidIn('SANDBOX')]).toEqual([9_990_000, 0])
      const feed = await s.call('GET', '/v1/events?types=purchase.*&limit=100', { key: s.project.secretKey })
      const events = feed.body.data.items.map((one: { type: string; environment: string }) => [
        one.type,
        one.environment,
      ])
      expect(events).toEqual([
        ['purchase.initial', 'SANDBOX'],
        ['purchase.initial', 'PRODUCTION'],
        ['purchase.refunded', 'SANDBOX'],
      ])
    })
})

describe('price off by a factor of 1000', () => {
  const priceOf = async (device: string) => {
    const { body } = await s.call('GET', '/v1/events?types=purchase.initial&limit=100', { key: s.project.secretKey })
    const { id } = await rowOf(s, device)
    return body.data.items.find(({ subscriberId }: { subscriberId: string }) => subscriberId === id)?.data.transaction
      .price
  }
  const prices: [currency: string, micros: number, thousandths: number, money: object][] = [
    ['USD', 9_990_000, 9990, { units: '9', nanos: 990_000_000 }],
    ['USD', 490_000, 490, { nanos: 490_000_000 }],
    ['JPY', 1_200_000_000, 1_200_000, { units: '1200' }],
    ['KWD', 3_255_000, 3255, { units: '3', nanos: 255_000_000 }],
    ['IDR', 159_000_000_000, 159_000_000, { units: '159000', nanos: 0 }],
  ]
  for (const [currency, amountMicros, price, recurring] of prices) {
    test(`App Store, ${amountMicros} micros ${currency}`, async () => {
      await expectSubmitted(s.receipt('svc_ada', s.buy({ ...MONTHLY, price, currency })))
      expect(await lines('svc_ada')).toEqual([['INITIAL', amountMicros]])
      expect(await priceOf('svc_ada')).toEqual({ amountMicros, currency })
    })
    test(`Google Play, ${amountMicros} micros ${currency}`, async () => {
      const { store } = s.server
      const token = store.subscribe(ANDROID_MONTHLY)
      const held = store.subscriptions.get(token)
      const [item] = held?.resource.lineItems ?? []
      const autoRenewingPlan = { autoRenewEnabled: true, recurringPrice: { currencyCode: currency, ...recurring } }
      if (held) {
        const resource = { ...held.resource, lineItems: [{ ...item, autoRenewingPlan }] }
        store.subscriptions.set(token, { ...held, resource })
      }
      await expectSubmitted(s.token('svc_ada', token, 'pro_monthly'))
      expect(await lines('svc_ada')).toEqual([['INITIAL', amountMicros]])
      expect(await priceOf('svc_ada')).toEqual({ amountMicros, currency })
    })
  }
})

describe('renewal re-posted by a client granting purchase currency again', () => {
  for (const shop of SHOPS) {
    test(`${shop.name}: a purchase grants once, its renewals nothing`, async () => {
      await grantOnPurchase(s)
      const bought = await shop.buy(s, 'pro_monthly')
      await expectSubmitted(bought.show('svc_ada'))
      for (const day of ['2026-12-20', '2027-01-20']) {
        on(s, day)
        await bought.renew()
        for (let post = 0; post < 2; post++) await again(bought, 'svc_ada')
        expect(await balances(s, 'svc_ada')).toEqual({ coins: 70 })
      }
      await expectSubmitted(bought.show('svc_new')) // A reinstall does not grant the coins again.
      expect([await balances(s, 'svc_ada'), await balances(s, 'svc_new')]).toEqual([{ coins: 70 }, {}])
    })
    test(`${shop.name}: each renewal grants once`, async () => {
      const bought = await shop.buy(s, 'pro_yearly')
      await expectSubmitted(bought.show('svc_ada'))
      on(s, '2027-11-20')
      await bought.renew()
      for (let post = 0; post < 2; post++) await again(bought, 'svc_ada')
      await identify(s, 'svc_ada', 'ada')
      await identify(s, 'svc_new', 'ada')
      await again(bought, 'svc_new')
      expect(await balances(s, 'svc_new')).toEqual({ coins: 1000 })
    })
  }
  test('App Store: a renewal whose first period we never saw grants no purchase currency', async () => {
    await grantOnPurchase(s)
    const unseen = s.buy(MONTHLY)
    on(s, '2026-12-20')
    const renewed = renew(s, unseen, MONTHLY)
    for (let post = 0; post < 3; post++)
      await expectSubmitted(s.receipt('svc_ada', { ...renewed, signedDate: s.ctx.clock.now() + post }))
    expect(await balances(s, 'svc_ada')).toEqual({})
  })
  test('Google Play: neither does a change of plan, however often', async () => {
    let token = s.server.store.subscribe(ANDROID_YEARLY)
    await expectSubmitted(s.token('svc_ada', token, 'pro'))
    for (const plan of [ANDROID_MONTHLY, ANDROID_YEARLY, ANDROID_MONTHLY, ANDROID_YEARLY]) {
      s.ctx.clock.advance(3_600_000)
      token = s.server.store.upgrade(token, plan)
      await expectSubmitted(s.token('svc_ada', token, 'pro'))
    }
    await deliverAll(s)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })
})

describe('reversal impossible after refund', () => {
  const reversed = ['REFUND_REVERSED', null] as const
  for (const source of ['the notification', 'the receipt'])
    test(`App Store: of what ${source} had told as refunded`, async () => {
      await changeSettings(s, { clawback: 'full' })
      const all = [s.buy(MONTHLY), s.buy(LIFETIME), s.buy(COINS)]
      for (const one of all) await expectSubmitted(s.receipt('svc_ada', one))
      on(s, '2026-11-25')
      for (const one of all) {
        if (source === 'the receipt') await expectSubmitted(s.receipt('svc_ada', refund(s, one)))
        else await notifyNew(s, ['REFUND', null], refund(s, one))
      }
      expect([sum(await lines('svc_ada')), await access(s, 'svc_ada'), await balances(s, 'svc_ada')]).toEqual([
        0,
        {},
        { coins: 0 },
      ])
      on(s, '2026-11-30')
      for (const one of all) await notifyNew(s, reversed, one)
      expect([sum(await lines('svc_ada')), await access(s, 'svc_ada'), await balances(s, 'svc_ada')]).toEqual([
        210_970_000,
        { pro: null },
        { coins: 100 },
      ])
    })
  test('App Store: told before the refund, or after the end', async () => {
    const [early, late] = [s.buy(MONTHLY), s.buy(MONTHLY)]
    await expectSubmitted(s.receipt('svc_early', early))
    await expectSubmitted(s.receipt('svc_late', late))
    on(s, '2026-11-25')
    const refunds = [early, late].map((one) => refund(s, one))
    on(s, '2026-11-30')
    await notifyNew(s, reversed, early)
    for (const one of refunds) await notifyNew(s, ['REFUND', null], one)
    expect([Object.keys(await access(s, 'svc_early')), await access(s, 'svc_late')]).toEqual([['pro'], {}])
    on(s, '2026-12-24')
    await notifyNew(s, reversed, late)
    expect(await access(s, 'svc_late')).toEqual({})
    for (const device of ['svc_early', 'svc_late']) expect(sum(await lines(device))).toBe(9_990_000)
  })
})
