import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { connectionExamination } from '../../src/projects/connections/doctor'
import { aboutVoided, pushBody } from '../../src/test-store/stores/android-push'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage, PACKAGE } from '../support/android'
import { access, balances, eventTypes, expectRefused, lastEvent, money, rowOf } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
const ada = async () => (await rowOf(s, 'svc_ada')).id
const askedOrders = () => s.server.requests.flatMap(({ path }) => path.split('/orders/')[1] ?? [])
const orderOf = (token: string) => {
  const { store } = s.server
  return store.subscriptions.get(token)?.orderId ?? store.products.get(token)?.resource.orderId ?? ''
}

describe('a subscription', () => {
  test('has the money of its order with taxes, and the price of its plan', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    s.server.store.charge(orderOf(token), 'pro', usd(10_790_000))
    await s.token('svc_ada', token, 'pro_monthly')
    expect(await money(s, await ada())).toEqual([['INITIAL', 10_790_000]])
    const event = await lastEvent(s, 'svc_ada', 'purchase.initial')
    expect(event?.after).toMatchObject({ purchase: { price: usd(9_990_000) } })
  })
  test('asks for each order once, whoever brings it and however often', async () => {
    const { store } = s.server
    const token = store.subscribe(ANDROID_MONTHLY)
    const order = orderOf(token)
    store.charge(`${order}..0`, 'pro', usd(11_000_000))
    await s.token('svc_ada', token, 'pro_monthly')
    await s.deliverAll()
    s.ctx.clock.advance(30 * DAY)
    store.renew(token)
    await s.deliverAll()
    s.ctx.clock.advance(2 * MINUTE)
    await s.token('svc_ada', token, 'pro_monthly')
    expect(askedOrders()).toEqual([order, `${order}..0`])
    expect(await money(s, await ada())).toEqual([
      ['INITIAL', 9_990_000],
      ['RENEWAL', 11_000_000],
    ])
  })
  test('a trial costs nothing', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY, { withTrial: true })
    await s.token('svc_ada', token, 'pro_yearly')
    expect(await money(s, await ada())).toEqual([['TRIAL', 0]])
  })
  test.each([
    ['without the permission', () => Object.assign(s.server.faults, { orderStatus: 403 })],
    [
      'with an answer that is none',
      () => Object.assign(s.server.faults, { reply: (path: string) => (path.includes('/orders/') ? '{' : null) }),
    ],
    [
      'with the order of another purchase',
      () =>
        Object.assign(s.server.faults, {
          reply: (path: string) =>
            path.includes('/orders/')
              ? '{"purchaseToken":"x","lineItems":[{"productId":"pro","total":{"currencyCode":"USD","units":"1"}}]}'
              : null,
        }),
    ],
  ])('%s, the receipt counts with the recurring price', async (_name, fail) => {
    fail()
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    s.server.store.charge(orderOf(token), 'pro', usd(10_790_000))
    expect((await s.token('svc_ada', token, 'pro_monthly')).status).toBe(200)
    expect(askedOrders()).toHaveLength(1)
    expect(await money(s, await ada())).toEqual([['INITIAL', 9_990_000]])
  })
})

test('the doctor names the missing permission once, until Google shows an order', async () => {
  const gaps = async () => {
    const examined = { handle: s.ctx, config: s.ctx.config, vault: s.ctx.vault, now: s.ctx.clock.now() }
    const report = await connectionExamination.project?.(examined, { id: s.project.id, slug: 'app' })
    return (report?.gaps ?? []).filter(({ message }) => message.includes('financial data'))
  }
  const { store, faults } = s.server
  expect(await gaps()).toEqual([])
  faults.orderStatus = 403
  for (const device of ['svc_ada', 'svc_bo']) await s.token(device, store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
  expect(await gaps()).toHaveLength(1)
  delete faults.orderStatus
  await s.token('svc_cy', store.subscribe(ANDROID_MONTHLY), 'pro_monthly')
  expect(await gaps()).toEqual([])
})

test('while Google is down for orders, a receipt waits and nothing is recorded', async () => {
  const token = s.server.store.buy('coins.100')
  s.server.store.charge(orderOf(token), 'coins.100', usd(2_000_000))
  s.server.faults.orderStatus = 503
  await expectRefused(s, () => s.token('svc_ada', token, 'coins_100'), 503, 'STORE_UNAVAILABLE')
  delete s.server.faults.orderStatus
  const both = await Promise.all(['coins_100', 'coins.100'].map((id) => s.token('svc_ada', token, id)))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await money(s, await ada())).toEqual([['CREDIT_PURCHASE', 2_000_000]])
  expect(await balances(s, 'svc_ada')).toEqual({ coins: 100 })
})

describe('a one-time purchase', () => {
  test('has the money of its order, and gives back the share of its units', async () => {
    const token = s.server.store.buy('coins.100', { quantity: 4 })
    s.server.store.charge(orderOf(token), 'coins.100', usd(8_000_000))
    await s.token('svc_ada', token, 'coins_100')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 400 })
    s.server.store.refundUnits(token, 1)
    await s.deliverAll()
    expect(askedOrders()).toEqual([orderOf(token)])
    expect(await money(s, await ada())).toEqual([
      ['CREDIT_PURCHASE', 8_000_000],
      ['REFUND', -2_000_000],
    ])
  })
  test('of two products has a line for each', async () => {
    const token = s.server.store.buy('coins.100', { others: ['lifetime.one'] })
    s.server.store.charge(orderOf(token), 'coins.100', usd(2_000_000))
    s.server.store.charge(orderOf(token), 'lifetime.one', usd(49_000_000))
    await s.token('svc_ada', token, 'lifetime')
    expect(askedOrders()).toEqual([orderOf(token)])
    const lines = (await money(s, await ada())).toSorted(([a], [b]) => a.localeCompare(b))
    expect(lines).toEqual([
      ['CREDIT_PURCHASE', 2_000_000],
      ['NON_RENEWING_PURCHASE', 49_000_000],
    ])
  })
  test('without the permission has a line without money, never zero', async () => {
    s.server.faults.orderStatus = 403
    const token = s.server.store.buy('coins.100')
    s.server.store.charge(orderOf(token), 'coins.100', usd(2_000_000))
    expect((await s.token('svc_ada', token, 'coins_100')).status).toBe(200)
    expect(await money(s, await ada())).toEqual([['CREDIT_PURCHASE', null]])
  })
})

describe('a change of plan that charges the rest of the period', () => {
  async function change(): Promise<string> {
    const { store } = s.server
    const token = store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro_monthly')
    s.ctx.clock.advance(10 * DAY)
    const next = store.upgrade(token, ANDROID_YEARLY, { prorated: usd(3_330_000) })
    await s.token('svc_ada', next, 'pro_yearly')
    await s.deliverAll()
    return next
  }
  const charged = async () => (await s.events(await ada())).filter(({ type }) => type === 'purchase.charged')

  test('is an adjustment: money and one event, but no period and no grant', async () => {
    const before = await change()
    expect(await money(s, await ada())).toEqual([
      ['INITIAL', 9_990_000],
      ['ADJUSTMENT', 3_330_000],
    ])
    expect(await charged()).toMatchObject([
      { data: { kind: 'ADJUSTMENT', transaction: { storeTransactionId: orderOf(before), price: usd(3_330_000) } } },
    ])
    expect(await balances(s, 'svc_ada')).toEqual({})
    expect(await eventTypes(s, await ada())).not.toContain('purchase.renewed')
    expect(Object.keys(await access(s, 'svc_ada'))).toContain('coach')
  })
  test('without the permission has no line and no event', async () => {
    s.server.faults.orderStatus = 403
    await change()
    expect(await money(s, await ada())).toEqual([['INITIAL', 9_990_000]])
    expect(await charged()).toEqual([])
    expect(Object.keys(await access(s, 'svc_ada'))).toContain('coach')
  })
  test('refunded it gives back its money only', async () => {
    const token = await change()
    const now = s.ctx.clock.now()
    const voided = aboutVoided({ token, orderId: orderOf(token), productType: 1, refundType: 1 })
    const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
    const push = { messageId: 'v', type: 'VOIDED', body: pushBody(PACKAGE, voided, { messageId: 'v', now }) }
    for (let count = 0; count < 2; count++) await s.deliver({ ...push, authorization })
    expect((await money(s, await ada())).slice(1)).toEqual([
      ['ADJUSTMENT', 3_330_000],
      ['REFUND', -3_330_000],
    ])
    const event = await lastEvent(s, 'svc_ada', 'purchase.refunded')
    expect(event?.data).toMatchObject({ current: false, refund: usd(3_330_000) })
    expect(Object.keys(await access(s, 'svc_ada'))).toContain('coach')
    expect(await eventTypes(s, await ada())).not.toContain('entitlement.revoked')
  })
  test('said again it charges nothing more, and the next period is charged as one', async () => {
    const token = await change()
    s.ctx.clock.advance(3 * DAY)
    await s.token('svc_ada', token, 'pro_yearly')
    expect(await charged()).toHaveLength(1)
    s.ctx.clock.advance(365 * DAY)
    s.server.store.renew(token)
    await s.deliverAll()
    expect((await money(s, await ada())).slice(2)).toEqual([['RENEWAL', 79_990_000]])
    expect(await charged()).toHaveLength(1)
  })
})
