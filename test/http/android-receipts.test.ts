import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, androidStage } from '../support/android'
import {
  access,
  balances,
  changeSettings,
  damage,
  eventTypes,
  expectRefused,
  identify,
  money,
  rowOf,
} from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

describe('a receipt', () => {
  test('of a subscription gives access, money and events', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const { status, body } = await s.token('svc_ada', token, 'pro_monthly')
    expect(status).toBe(200)
    expect(body.data.access).toEqual({
      pro: {
        isActive: true,
        expiresDate: '2026-12-20T08:00:00.000Z',
        store: 'ANDROID_STORE',
        productIdentifier: 'pro_monthly',
      },
    })
    expect(body.data.subscriber.appUserId).toBe('svc_ada')
    const { id } = await rowOf(s, 'svc_ada')
    expect(await eventTypes(s, id)).toEqual(['purchase.initial', 'entitlement.granted'])
    expect(await money(s, id)).toEqual([['INITIAL', 9_990_000]])
  })
  test('is matched by the base plan of its line item, whichever product the id names', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    const { body } = await s.token('svc_ada', token, 'pro')
    expect(body.data.access.coach.productIdentifier).toBe('pro_yearly')
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    const [event] = await s.events((await rowOf(s, 'svc_ada')).id)
    expect(event?.after).toMatchObject({ purchase: { storeProductId: 'pro', productIdentifier: 'pro_yearly' } })
  })
  test('of a trial grants nothing but access', async () => {
    const token = s.server.store.subscribe({ ...ANDROID_YEARLY, trialPeriod: 'P1W' }, { withTrial: true })
    await s.token('svc_ada', token, 'pro_yearly')
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual([
      'purchase.trial_started',
      'entitlement.granted',
      'entitlement.granted',
    ])
    expect(await balances(s, 'svc_ada')).toEqual({})
  })
  test('of coins grants them once, times the quantity', async () => {
    const token = s.server.store.buy('coins.100', { quantity: 3 })
    await s.token('svc_ada', token, 'coins_100')
    s.ctx.clock.advance(2 * MINUTE)
    const { body } = await s.token('svc_ada', token, 'coins.100')
    expect(body.data.virtualCurrencyBalances).toEqual({ coins: 300 })
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual([
      'purchase.non_renewing',
      'currency.transaction',
    ])
  })
  test('of a lifetime product never ends', async () => {
    await s.token('svc_ada', s.server.store.buy('lifetime.one'), 'lifetime')
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })
  test('is read from the older API of products where there is no newer one', async () => {
    s.server.faults = { hasNoProductsV2: true }
    expect((await s.token('svc_ada', s.server.store.buy('lifetime.one'), 'lifetime')).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })
  test('of a test purchase is of the sandbox', async () => {
    await s.token('svc_ada', s.server.store.subscribe(ANDROID_MONTHLY, { isTest: true }), 'pro_monthly')
    await s.token('svc_bo', s.server.store.buy('lifetime.one', { isTest: true }), 'lifetime')
    expect((await purchases()).map(({ environment }) => environment)).toEqual(['SANDBOX', 'SANDBOX'])
  })
  test('of a cancelled subscription gives access until its end', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    s.server.store.cancel(token)
    await s.token('svc_ada', token, 'pro_monthly')
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    s.ctx.clock.advance(31 * DAY)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
  test('in a grace period gives access though its period has passed', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro_monthly')
    s.ctx.clock.advance(31 * DAY)
    s.server.store.failPayment(token)
    await s.token('svc_ada', token, 'pro_monthly')
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-27T08:00:00.000Z' })
  })
  test.each(['hold', 'pause', 'expire'] as const)('after a change to %s gives no access', async (turn) => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    s.ctx.clock.advance(31 * DAY)
    s.server.store[turn](token)
    expect((await s.token('svc_ada', token, 'pro_monthly')).body.data.access).toEqual({})
  })
})

describe('a repetition', () => {
  test('within a minute asks the store nothing, after it asks and changes nothing', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const first = await s.token('svc_ada', token, 'pro_monthly')
    const calls = s.calls()
    s.ctx.clock.advance(59 * SECOND)
    expect((await s.token('svc_ada', token, 'pro_monthly')).body).toEqual(first.body)
    expect(s.calls()).toBe(calls)
    s.ctx.clock.advance(SECOND)
    expect((await s.token('svc_ada', token, 'pro_monthly')).body).toEqual(first.body)
    expect(s.calls()).toBe(calls + 1)
    expect(await s.ctx.db.select().from(s.ctx.tables.observations)).toHaveLength(1)
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual(['purchase.initial', 'entitlement.granted'])
  })
  test('within a minute that tells where it was sold is joined to that', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro_monthly')
    const presentedContext = { placementId: 'onboarding' }
    for (let n = 0; n < 2; n++) await s.token('svc_ada', token, 'pro_monthly', { presentedContext })
    expect(await purchases()).toMatchObject([{ presentedContext }])
  })
  test('under its Idempotency-Key shows access as it is now', async () => {
    const body = { receipt: s.server.store.subscribe(ANDROID_MONTHLY), appUserId: 'svc_ada', productId: 'pro' }
    const options = { headers: { 'idempotency-key': 'k' } }
    await s.post('/v1/receipts/android', body, options)
    s.server.faults = { status: 500 }
    const { status, headers } = await s.post('/v1/receipts/android', body, options)
    expect([status, headers.get('idempotent-replay')]).toEqual([200, 'true'])
  })
  test('a hundred times at once has one effect', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    const answers = await Promise.all(Array.from({ length: 100 }, () => s.token('svc_ada', token, 'pro_yearly')))
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body])
    const { id } = await rowOf(s, 'svc_ada')
    expect((await eventTypes(s, id)).length).toBe(4)
    expect(await money(s, id)).toEqual([['INITIAL', 79_990_000]])
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
    expect(await s.ctx.db.select().from(s.ctx.tables.observations)).toHaveLength(1)
    expect(await s.ctx.db.select().from(s.ctx.tables.jobs)).toHaveLength(1)
  })
  test('counts with the receipts of iOS to 120 a minute', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    for (let count = 0; count < 60; count++) {
      await s.token('svc_ada', token, 'pro')
      await s.post('/v1/receipts/ios', { receipt: 'x', appUserId: 'svc_ada', productId: 'pro_monthly' })
    }
    expect((await s.token('svc_ada', token, 'pro')).status).toBe(429)
    expect((await s.token('svc_bo', token, 'pro')).status).not.toBe(429)
  })
})

describe('is refused, with nothing written', () => {
  const ada =
    (token: string, productId = 'pro_monthly') =>
    () =>
      s.token('svc_ada', token, productId)

  test('a token that the store does not know', async () => {
    await expectRefused(s, ada('made-up'), 400, 'RECEIPT_INVALID')
    await expectRefused(s, ada('..'), 400, 'RECEIPT_INVALID')
  })
  test('a token of another product or base plan', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    await expectRefused(s, ada(token, 'pro_monthly'), 400, 'RECEIPT_INVALID')
    await expectRefused(s, ada(s.server.store.buy('coins.100'), 'lifetime'), 400, 'RECEIPT_INVALID')
  })
  test('a product that nobody sells', async () => {
    const answer = await expectRefused(s, ada('made-up', 'nothing'), 404, 'RECEIPT_PRODUCT_UNKNOWN')
    expect(answer.body.error.details).toEqual({ productId: 'nothing' })
    expect(s.calls()).toBe(0)
  })
  test('a purchase that is not paid, which is taken once it is', async () => {
    await expectRefused(s, ada(s.server.store.subscribePending(ANDROID_MONTHLY)), 400, 'purchase_not_paid')
    const coins = s.server.store.buyPending('coins.100')
    await expectRefused(s, ada(coins, 'coins_100'), 400, 'purchase_not_paid')
    s.server.store.settle(coins, true)
    expect((await s.token('svc_ada', coins, 'coins_100')).status).toBe(200)
  })
  test('a cancelled one-time purchase', async () => {
    const coins = s.server.store.buyPending('coins.100')
    s.server.store.settle(coins, false)
    await expectRefused(s, ada(coins, 'coins_100'), 400, 'RECEIPT_INVALID')
  })
  test('without an app, or without credentials that open', async () => {
    const { storeSettings: t } = s.ctx.tables
    const set = async (change: object) => {
      await s.ctx.write((tx) => tx.db.update(t).set(change).where(eq(t.section, 'android')))
      s.ctx.state.projects.forget(s.project.id)
    }
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await set({ sealed: 'damaged' })
    await expectRefused(s, ada(token), 400, 'STORE_NOT_CONFIGURED')
    await set({ config: {} })
    await expectRefused(s, ada(token), 400, 'STORE_NOT_CONFIGURED')
  })
  test('from an erased subscriber, before the store is asked', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro')
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: 1 })
    const calls = s.calls()
    await expectRefused(s, ada(token), 409, 'SUBSCRIBER_UNRESOLVABLE')
    expect(s.calls()).toBe(calls)
  })
  test('bodies and keys that are wrong', async () => {
    await expectRefused(s, () => s.post('/v1/receipts/android', {}, { key: null }), 401, 'BEARER_REQUIRED')
    await expectRefused(s, () => s.post('/v1/receipts/android', { receipt: 'x' }), 400, 'VALIDATION_ERROR')
    await expectRefused(s, () => s.token('android:x', 'x', 'pro'), 400, 'VALIDATION_ERROR')
  })
})

describe('faults at the store', () => {
  const outages = [429, 500, 503].map((status) => ({ status }))
  test.each([...outages, { tokenStatus: 503 }])('%p is 503, and nothing is lost', async (faults) => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    s.server.faults = faults
    const ask = () => s.token('svc_ada', token, 'pro')
    const { headers } = await expectRefused(s, ask, 503, 'STORE_UNAVAILABLE')
    expect(headers.get('retry-after')).toBe('60')
    s.server.faults = {}
    expect((await ask()).status).toBe(200)
  })
  const errors = [{ status: 401 }, { status: 403 }, { isMalformed: true }, { tokenStatus: 400 }]
  test.each(errors)('%p is 502', async (faults) => {
    s.server.faults = faults
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await expectRefused(s, () => s.token('svc_ada', token, 'pro'), 502, 'STORE_API_ERROR')
  })
  test.each([400, 404, 410])('the answer %i is RECEIPT_INVALID', async (status) => {
    s.server.faults = { status, reason: 'purchaseTokenNoLongerValid' }
    await expectRefused(s, () => s.token('svc_ada', 'gone', 'pro'), 400, 'RECEIPT_INVALID')
  })
  test('five failures open the circuit for a minute, then one call tries', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const ask = () => s.token('svc_ada', token, 'pro')
    s.server.faults = { status: 503 }
    for (let count = 0; count < 5; count++) expect((await ask()).status).toBe(503)
    const calls = s.calls()
    expect((await ask()).status).toBe(503)
    await changeSettings(s, { purchaseTransfer: 'always' }) // Another configuration has the same circuit.
    expect((await ask()).status).toBe(503)
    expect(s.calls()).toBe(calls)
    s.ctx.clock.advance(MINUTE)
    s.server.faults = {}
    expect((await ask()).status).toBe(200)
    expect(s.calls()).toBe(calls + 2) // The purchase, and then its order.
  })
})

describe('ownership', () => {
  test('of a labelled owner is kept, but for whom the account proves to be', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: 'acct-A' })
    await s.token('svc_ada', token, 'pro')
    await identify(s, 'svc_ada', 'ada')
    const bo = (more: object, key?: string) => () => s.token('svc_bo', token, 'pro', { ...more }, key)
    await expectRefused(s, bo({}), 409, 'RECEIPT_IN_USE')
    await expectRefused(s, bo({ obfuscatedAccountId: 'acct-a' }), 409, 'RECEIPT_IN_USE')
    await expectRefused(s, bo({ obfuscatedProfileId: 'acct-A' }), 409, 'RECEIPT_IN_USE')
    expect((await bo({ obfuscatedAccountId: 'acct-A' })()).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
  test('is proven by either token of a server, whatever the other one says', async () => {
    const account = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
    const token = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: account })
    await s.token('svc_ada', token, 'pro')
    await identify(s, 'svc_ada', 'ada')
    const both = { appAccountToken: account, obfuscatedAccountId: '' }
    await expectRefused(s, () => s.token('svc_bo', token, 'pro', both), 409, 'RECEIPT_IN_USE')
    expect((await s.token('svc_bo', token, 'pro', both, s.project.secretKey)).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
  test('of an anonymous owner moves, unless the setting is never', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro')
    await changeSettings(s, { purchaseTransfer: 'never' })
    await expectRefused(s, () => s.token('svc_bo', token, 'pro'), 409, 'RECEIPT_IN_USE')
    await changeSettings(s, {})
    expect((await s.token('svc_bo', token, 'pro')).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
  test('is proven by another purchase of the same account', async () => {
    const own = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: 'acct-A' })
    const second = s.server.store.buy('lifetime.one', { accountId: 'acct-A' })
    await s.token('svc_bo', own, 'pro')
    await s.token('svc_ada', second, 'lifetime')
    await identify(s, 'svc_ada', 'ada')
    expect((await s.token('svc_bo', second, 'lifetime')).status).toBe(200)
  })
})

describe('an upgrade', () => {
  test('ends the purchase before it and is told as a change of product', async () => {
    const month = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', month, 'pro_monthly')
    s.ctx.clock.advance(5 * DAY)
    const year = s.server.store.upgrade(month, ANDROID_YEARLY)
    expect((await s.token('svc_ada', year, 'pro_yearly')).status).toBe(200)
    const { id } = await rowOf(s, 'svc_ada')
    expect((await eventTypes(s, id)).slice(2)).toEqual([
      'purchase.initial',
      'purchase.product_changed',
      'purchase.expired',
      'entitlement.granted',
    ])
    const events = await s.events(id)
    expect(events.find(({ type }) => type === 'purchase.expired')?.data).toMatchObject({ reason: 'REPLACED' })
    const changed = events.find(({ type }) => type === 'purchase.product_changed')?.data
    expect(changed).toMatchObject({ effective: 'NOW', fromProductId: expect.stringContaining('pro_monthly') })
    expect(changed?.toProductId).toContain('pro_yearly')
    expect(await money(s, id)).toEqual([
      ['INITIAL', 9_990_000],
      ['PRODUCT_CHANGE', 79_990_000],
    ])
    // A change of product grants nothing, because it could be repeated at will.
    expect(await balances(s, 'svc_ada')).toEqual({})
  })
  test("of another's purchase is decided as that purchase is", async () => {
    const month = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', month, 'pro')
    await identify(s, 'svc_ada', 'ada')
    const year = s.server.store.upgrade(month, ANDROID_YEARLY)
    await expectRefused(s, () => s.token('svc_bo', year, 'pro'), 409, 'RECEIPT_IN_USE')
    expect((await s.token('svc_ada', year, 'pro')).status).toBe(200)
  })
  test('that moves to a new install is told there once, with all that it replaced', async () => {
    const month = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_old', month, 'pro_monthly')
    s.ctx.clock.advance(5 * DAY)
    const year = s.server.store.upgrade(month, ANDROID_YEARLY)
    await s.token('svc_old', year, 'pro_yearly')
    s.ctx.clock.advance(DAY)
    expect((await s.token('svc_new', year, 'pro_yearly')).status).toBe(200)
    const types = await eventTypes(s, (await rowOf(s, 'svc_new')).id)
    expect(types.filter((type) => type.startsWith('entitlement.'))).toEqual([
      'entitlement.granted',
      'entitlement.granted',
    ])
    const { id } = await rowOf(s, 'svc_new')
    expect((await purchases()).map(({ subscriberId }) => subscriberId)).toEqual([id, id])
    expect(await access(s, 'svc_old')).toEqual({})
  })
  test('comes to the same whichever token is posted first', async () => {
    const tell = async (isReversed: boolean) => {
      const own = await androidStage()
      const month = own.server.store.subscribe(ANDROID_MONTHLY)
      own.ctx.clock.advance(5 * DAY)
      const tokens = [month, own.server.store.upgrade(month, ANDROID_YEARLY)]
      for (const token of isReversed ? tokens.toReversed() : tokens) await own.token('svc_ada', token, 'pro')
      const lines = await money(own, (await rowOf(own, 'svc_ada')).id)
      const rows = (await own.ctx.db.select().from(own.ctx.tables.purchases)).map(({ fold, status }) => ({
        fold,
        status,
      }))
      await own.close()
      return { lines, rows: rows.sort((a, b) => (a.fold.storeProductId < b.fold.storeProductId ? -1 : 1)) }
    }
    expect(await tell(true)).toEqual(await tell(false))
  })
})
