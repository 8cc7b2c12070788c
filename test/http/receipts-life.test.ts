import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { after, COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  balances,
  eventTypes,
  everything,
  expire,
  lastEvent,
  listenTo,
  money,
  refund,
  renew,
  rowOf,
} from '../support/facts'

let s: Stage
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await stage()
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const post = (payload: Parameters<Stage['receipt']>[1]) => s.receipt('svc_ada', payload)
const lines = async () => money(s, (await rowOf(s, 'svc_ada')).id)
const status = async () => (await s.ctx.db.select().from(s.ctx.tables.purchases)).map((row) => row.status)
const iso = (instant: number) => new Date(instant).toISOString()

describe('a subscription', () => {
  test('begins with a trial that costs nothing', async () => {
    const start = s.ctx.clock.now()
    await post(s.buy(MONTHLY, { withTrial: true }))
    expect(await newEvents()).toEqual(['purchase.trial_started', 'entitlement.granted'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.trial_started')).data).toMatchObject({
      trialEndsAt: iso(start + 7 * DAY),
      transaction: { kind: 'TRIAL', price: { amountMicros: 0, currency: 'USD' }, usdMicros: 0 },
    })
    expect(await access(s, 'svc_ada')).toEqual({ pro: iso(start + 7 * DAY) })
    expect(await lines()).toEqual([['TRIAL', 0]])
    expect(await status()).toEqual(['TRIAL'])
  })

  test('converts at the price, and is not granted a second time', async () => {
    const trial = s.buy(MONTHLY, { withTrial: true })
    await post(trial)
    await newEvents()
    s.ctx.clock.advance(7 * DAY - 1)
    await post(renew(s, trial, MONTHLY))
    expect(await newEvents()).toEqual(['purchase.trial_converted'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.trial_converted')).data).toMatchObject({
      transaction: { kind: 'TRIAL_CONVERSION', price: { amountMicros: 9_990_000, currency: 'USD' }, renewalNumber: 0 },
    })
    const ends = after(trial.purchaseDate + 7 * DAY, 'P1M')
    expect(await access(s, 'svc_ada')).toEqual({ pro: iso(ends) })
    expect(await lines()).toEqual([
      ['TRIAL', 0],
      ['TRIAL_CONVERSION', 9_990_000],
    ])
  })

  test('renews month by month', async () => {
    let payload = s.buy(MONTHLY)
    await post(payload)
    await newEvents()
    for (const renewalNumber of [1, 2, 3]) {
      s.ctx.clock.set((payload.expiresDate ?? 0) - 1)
      payload = renew(s, payload, MONTHLY)
      await post(payload)
      expect(await newEvents()).toEqual(['purchase.renewed'])
      expect((await lastEvent(s, 'svc_ada', 'purchase.renewed')).data).toMatchObject({
        reactivation: false,
        late: false,
        transaction: { kind: 'RENEWAL', renewalNumber, storeTransactionId: payload.transactionId },
      })
      expect(await access(s, 'svc_ada')).toEqual({ pro: iso(payload.expiresDate ?? 0) })
    }
    expect((await lines()).map(([kind]) => kind)).toEqual(['INITIAL', 'RENEWAL', 'RENEWAL', 'RENEWAL'])
  })

  test('is refunded: the access goes at once, the money is told back', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    await newEvents()
    s.ctx.clock.advance(3 * DAY)
    const { status: code, body } = await post(refund(s, bought))
    expect([code, body.data.access]).toEqual([200, {}])
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    const { data } = await lastEvent(s, 'svc_ada', 'purchase.refunded')
    const charges = await s.ctx.db.select().from(s.ctx.tables.transactions)
    expect(data).toMatchObject({
      current: true,
      refund: { amountMicros: 9_990_000, currency: 'USD' },
      refundedTransactionId: charges.find(({ kind }) => kind === 'INITIAL')?.id,
      transaction: { kind: 'REFUND', price: { amountMicros: -9_990_000, currency: 'USD' }, usdMicros: -9_990_000 },
    })
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await lines()).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
    expect(await status()).toEqual(['REFUNDED'])
  })

  test('of which an earlier month is refunded keeps its access', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    s.ctx.clock.set((bought.expiresDate ?? 0) - 1)
    const renewed = renew(s, bought, MONTHLY)
    await post(renewed)
    await newEvents()
    s.ctx.clock.advance(5 * DAY)
    await post(refund(s, bought))
    expect(await newEvents()).toEqual(['purchase.refunded'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.refunded')).data).toMatchObject({ current: false })
    expect(await access(s, 'svc_ada')).toEqual({ pro: iso(renewed.expiresDate ?? 0) })
    expect(await lines()).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
  })

  test('whose refund is told twice, by two signatures, is refunded once', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    const refunded = refund(s, bought)
    await post(refunded)
    await newEvents()
    s.ctx.clock.advance(DAY)
    await post({ ...refunded, signedDate: s.ctx.clock.now() })
    expect(await newEvents()).toEqual([])
    expect(await lines()).toHaveLength(2)
  })

  test('seen first as refunded is told as bought and refunded, and grants nothing', async () => {
    const bought = s.buy(MONTHLY)
    s.ctx.clock.advance(DAY)
    const { body } = await post(refund(s, bought))
    expect(body.data.access).toEqual({})
    expect(await newEvents()).toEqual(['purchase.initial', 'purchase.refunded'])
    expect(await lines()).toEqual([
      ['INITIAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
  })

  test('that the store says has ended is expired, once', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    await newEvents()
    s.ctx.clock.advance(10 * DAY)
    await post(expire(s, bought))
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
    expect(await access(s, 'svc_ada')).toEqual({})
    s.ctx.clock.advance(40 * DAY)
    await post({ ...expire(s, bought), expiresDate: s.ctx.clock.now() - 40 * DAY })
    expect(await newEvents()).toEqual([])
    expect(await lines()).toEqual([['INITIAL', 9_990_000]])
  })

  test('seen first long after its end is told as bought and expired, and grants nothing', async () => {
    const bought = s.buy(MONTHLY)
    s.ctx.clock.advance(100 * DAY)
    await post(bought)
    expect(await newEvents()).toEqual(['purchase.initial', 'purchase.expired'])
    expect(await access(s, 'svc_ada')).toEqual({})
  })

  test('bought again after a lapse is a reactivation', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    s.ctx.clock.advance(100 * DAY)
    await newEvents()
    const again = s.buy(MONTHLY, { previous: bought })
    await post(again)
    expect(await newEvents()).toEqual(['purchase.renewed'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.renewed')).data).toMatchObject({
      reactivation: true,
      transaction: { kind: 'REACTIVATION' },
    })
    expect(await access(s, 'svc_ada')).toEqual({ pro: iso(again.expiresDate ?? 0) })
    expect((await lines()).map(([kind]) => kind)).toEqual(['INITIAL', 'REACTIVATION'])
  })

  test('upgraded changes the product now, grants what is new and takes nothing', async () => {
    const bought = s.buy(MONTHLY)
    await post(bought)
    await newEvents()
    s.ctx.clock.advance(10 * DAY)
    const upgraded = s.buy(YEARLY, { previous: bought })
    await post(upgraded)
    expect(await newEvents()).toEqual(['purchase.product_changed', 'entitlement.granted'])
    const { data } = await lastEvent(s, 'svc_ada', 'purchase.product_changed')
    const catalog = (await s.ctx.state.projects.get(s.project.id)).catalog
    expect(data).toMatchObject({
      fromProductId: catalog.productByIdentifier.get('pro_monthly')?.id,
      toProductId: catalog.productByIdentifier.get('pro_yearly')?.id,
      effective: 'NOW',
      transaction: { kind: 'PRODUCT_CHANGE', price: { amountMicros: 79_990_000, currency: 'USD' } },
    })
    expect((await lastEvent(s, 'svc_ada', 'entitlement.granted')).data).toMatchObject({ access: 'coach' })
    const end = iso(upgraded.expiresDate ?? 0)
    expect(await access(s, 'svc_ada')).toEqual({ coach: end, pro: end })
    // The replaced month, signed again as upgraded, changes nothing.
    await post({ ...bought, isUpgraded: true, signedDate: s.ctx.clock.now() + 1 })
    expect(await newEvents()).toEqual([])
    expect(await access(s, 'svc_ada')).toEqual({ coach: end, pro: end })
    expect(await lines()).toEqual([
      ['INITIAL', 9_990_000],
      ['PRODUCT_CHANGE', 79_990_000],
    ])
  })

  test('an old receipt after a newer one changes nothing', async () => {
    const bought = s.buy(MONTHLY)
    s.ctx.clock.set((bought.expiresDate ?? 0) - 1)
    const renewed = renew(s, bought, MONTHLY)
    await post(renewed)
    const seen = await access(s, 'svc_ada')
    expect(await newEvents()).toEqual(['purchase.initial', 'entitlement.granted'])
    await post(bought)
    expect(await newEvents()).toEqual([])
    expect(await access(s, 'svc_ada')).toEqual(seen)
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(purchase?.fold).toMatchObject({ storeTransactionId: renewed.transactionId, expiresAt: renewed.expiresDate })
    // The charge stays recorded.
    expect(await lines()).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 9_990_000],
    ])
  })
})

describe('a one-time product', () => {
  test('of lasting kind unlocks for ever, until it is refunded', async () => {
    const bought = s.buy(LIFETIME)
    await post(bought)
    expect(await newEvents()).toEqual(['purchase.non_renewing', 'entitlement.granted'])
    s.ctx.clock.advance(3000 * DAY)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
    await post(refund(s, bought))
    expect(await newEvents()).toEqual(['purchase.refunded', 'entitlement.revoked'])
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await lines()).toEqual([
      ['NON_RENEWING_PURCHASE', 199_990_000],
      ['REFUND', -199_990_000],
    ])
  })

  test('to be used up grants its currency once, times the quantity', async () => {
    const bought = s.buy(COINS, { quantity: 3 })
    const { body } = await post(bought)
    expect(body.data).toMatchObject({ access: {}, virtualCurrencyBalances: { coins: 300 } })
    expect(await newEvents()).toEqual(['purchase.non_renewing', 'currency.transaction'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.non_renewing')).data).toMatchObject({ quantity: 3 })
    expect((await lastEvent(s, 'svc_ada', 'currency.transaction')).data).toMatchObject({
      code: 'coins',
      amount: 300,
      balance: 300,
      ledgerType: 'PURCHASE',
      referenceType: 'purchase',
    })
    const before = await everything(s)
    expect((await post(bought)).body.data.virtualCurrencyBalances).toEqual({ coins: 300 })
    expect(await everything(s)).toEqual(before)
    await post({ ...bought, signedDate: bought.signedDate + 1 })
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 300 })
    expect(await lines()).toEqual([['CREDIT_PURCHASE', 2_970_000]])
  })

  test('bought twice is two purchases and two grants', async () => {
    await post(s.buy(COINS))
    await post(s.buy(COINS))
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 200 })
    expect(await status()).toEqual(['ACTIVE', 'ACTIVE'])
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toHaveLength(4)
  })
})
