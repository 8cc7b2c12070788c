import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { priceRaised } from '../../src/test-store/stores/android'
import type { SimulatedPush } from '../../src/test-store/stores/android-push'
import { ANDROID_MONTHLY, ANDROID_YEARLY, type AndroidStage, aboutToken, androidStage } from '../support/android'
import {
  access,
  balances,
  eventTypes,
  expectRefused,
  identify,
  lastEvent,
  listenTo,
  money,
  rowOf,
} from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const inbox = () => s.ctx.db.select().from(s.ctx.tables.storeEvents)
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const synthetic = (token: string) => `android:${sha256Hex(token).slice(0, 32)}`

/** The one push that is not delivered yet. */
async function next(): Promise<SimulatedPush> {
  const [push, ...others] = await s.pushes()
  if (!push || others.length > 0) throw new Error(`${others.length + (push ? 1 : 0)} pushes wait`)
  return push
}

describe('a push is refused', () => {
  test('without the token of Google for this endpoint and account', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    const { audience, email } = s.identity
    const wrong = [
      { audience: `${audience}x`, email },
      { audience, email: 'other@example.com' },
      { audience, email, issuer: 'https://example.com' },
      { audience, email, isVerified: false },
      { audience, email, livesMs: -10 * MINUTE },
    ]
    const tokens = ['', 'Bearer made.up.token']
    for (const identity of wrong) tokens.push(`Bearer ${await s.server.pushToken(identity)}`)
    for (const authorization of tokens)
      await expectRefused(s, () => s.deliver({ ...push, authorization }), 401, 'UNAUTHORIZED')
    expect(await inbox()).toEqual([])
    expect((await s.deliver(push)).status).toBe(200)
  })
  test('for an unknown project, and for one without an app', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    await expectRefused(s, () => s.deliver(push, 'prj_00000000000000000000000009'), 404, 'NOT_FOUND')
    await expectRefused(s, () => s.deliver(push, s.other.id), 401, 'UNAUTHORIZED')
  })
  test('for another package, and malformed', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    const body = JSON.parse(push.body)
    const wrap = (data: string) => ({ ...push, body: JSON.stringify({ ...body, message: { ...body.message, data } }) })
    const notification = JSON.parse(Buffer.from(body.message.data, 'base64').toString())
    const other = Buffer.from(JSON.stringify({ ...notification, packageName: 'com.other' })).toString('base64')
    for (const wrong of [wrap(other), wrap('e30='), wrap('!'), { ...push, body: '{' }, { ...push, body: '{}' }])
      await expectRefused(s, () => s.deliver(wrong), 400, 'VALIDATION_ERROR')
    expect(await inbox()).toEqual([])
  })
  test("with 503 while Google's keys or the store are away, and taken when it comes again", async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    s.server.faults = { keysStatus: 500 }
    await expectRefused(s, () => s.deliver(push), 503, 'STORE_UNAVAILABLE')
    s.ctx.clock.advance(MINUTE)
    for (const faults of [{ status: 503 }, { status: 401 }, { isMalformed: true }]) {
      s.server.faults = {}
      s.ctx.clock.advance(1)
      await s.token('svc_probe', 'made-up', 'pro') // Loads keys and tokens while the store works.
      await s.deliver({ ...push, body: '{}' })
      s.server.faults = faults
      const { headers } = await expectRefused(s, () => s.deliver(push), 503, 'STORE_UNAVAILABLE')
      expect(headers.get('retry-after')).toBe('60')
    }
    expect((await inbox()).map(({ status }) => status)).toEqual(['FAILED'])
    s.server.faults = {}
    expect((await s.deliver(push)).body).toEqual({ data: { received: true, duplicate: false } })
    expect((await inbox()).map(({ status }) => status)).toEqual(['PROCESSED'])
    expect((await purchases()).map(({ chainKey, status }) => [chainKey, status])).toEqual([[token, 'ACTIVE']])
  })
})

describe('whose it is', () => {
  test('nobody known: a synthetic subscriber, who is joined by the first receipt', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.deliverAll()
    const made = await rowOf(s, synthetic(token))
    expect(made.isSynthetic).toBe(true)
    expect((await s.token('svc_ada', token, 'pro')).status).toBe(200)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    expect((await rowOf(s, synthetic(token))).mergedInto).toBe((await rowOf(s, 'svc_ada')).id)
  })
  test('the subscriber of the same account', async () => {
    const first = s.server.store.subscribe(ANDROID_MONTHLY, { accountId: 'acct-A' })
    await s.token('svc_ada', first, 'pro')
    s.server.store.buy('lifetime.one', { accountId: 'acct-A' })
    await s.deliverAll()
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })
  test('the owner of what it replaces', async () => {
    const month = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', month, 'pro')
    await identify(s, 'svc_ada', 'ada')
    s.ctx.clock.advance(DAY)
    s.server.store.upgrade(month, ANDROID_YEARLY)
    await s.deliverAll()
    expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.expired')).data).toMatchObject({ reason: 'REPLACED' })
    const [month1, year] = (await purchases()).sort((a, b) => (a.fold.purchaseDate < b.fold.purchaseDate ? -1 : 1))
    expect([month1?.status, year?.status]).toEqual(['EXPIRED', 'ACTIVE'])
  })
})

describe('each change', () => {
  test('of a life is told', async () => {
    const { store } = s.server
    const token = store.subscribe({ ...ANDROID_MONTHLY, trialPeriod: 'P1W' }, { withTrial: true })
    await s.token('svc_ada', token, 'pro')
    await s.deliverAll()
    const newEvents = listenTo(s, 'svc_ada')
    await newEvents()
    const turn = async (days: number, take: () => void): Promise<[string[], string[]]> => {
      s.ctx.clock.advance(days * DAY)
      take()
      for (const answer of await s.deliverAll()) expect(answer.status).toBe(200)
      return [await newEvents(), Object.keys(await access(s, 'svc_ada'))]
    }
    expect(await turn(7, () => store.renew(token))).toEqual([['purchase.trial_converted'], ['pro']])
    expect(await turn(3, () => store.cancel(token))).toEqual([['purchase.cancelled'], ['pro']])
    expect(await turn(1, () => store.restart(token))).toEqual([['purchase.uncancelled'], ['pro']])
    expect(await turn(1, () => store.defer(token, 'P3D'))).toEqual([['purchase.extended'], ['pro']])
    expect(await turn(29, () => store.failPayment(token))).toEqual([
      ['purchase.billing_issue', 'purchase.grace_period'],
      ['pro'],
    ])
    expect(await turn(7, () => store.hold(token))).toEqual([['purchase.billing_issue', 'entitlement.revoked'], []])
    expect(await turn(5, () => store.renew(token))).toEqual([['purchase.recovered', 'entitlement.granted'], ['pro']])
    expect(await turn(32, () => store.pause(token))).toEqual([['purchase.paused', 'entitlement.revoked'], []])
    expect(await turn(9, () => store.resume(token))).toEqual([['purchase.resumed', 'entitlement.granted'], ['pro']])
    expect(await turn(2, () => store.revoke(token))).toEqual([['purchase.revoked', 'entitlement.revoked'], []])
    // Voided as well; this is the same money.
    store.refund(token)
    await s.deliverAll()
    const lines = await money(s, (await rowOf(s, 'svc_ada')).id)
    expect(lines).toEqual([
      ['TRIAL', 0],
      ['TRIAL_CONVERSION', 9_990_000],
      ['RENEWAL', 9_990_000],
      ['RENEWAL', 9_990_000],
      ['REFUND', -9_990_000],
    ])
    const details = (await s.events((await rowOf(s, 'svc_ada')).id)).map(({ type }) => type)
    expect(details).not.toContain('purchase.expired')
    expect((await inbox()).every(({ status }) => status === 'PROCESSED')).toBe(true)
  })
  test('of a price that the buyer must agree to, and of types that are new to us', async () => {
    const { store } = s.server
    const token = store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro')
    await s.deliverAll()
    const newEvents = listenTo(s, 'svc_ada')
    await newEvents()
    const price = { amountMicros: 12_990_000, currency: 'USD' }
    for (const [number, state] of [
      [19, 'OUTSTANDING'],
      [8, 'CONFIRMED'],
      [11, 'CONFIRMED'],
      [99, 'CONFIRMED'],
    ] as const) {
      s.ctx.clock.advance(DAY)
      const held = store.subscriptions.get(token)
      if (held) store.subscriptions.set(token, priceRaised(held, price, state))
      expect((await s.deliver(await aboutToken(s, number, token))).status).toBe(200)
    }
    expect(await newEvents()).toEqual(['purchase.price_increase_consent', 'purchase.price_increase_consent'])
    expect((await lastEvent(s, 'svc_ada', 'purchase.price_increase_consent')).data).toMatchObject({ state: 'ACCEPTED' })
    const calls = s.calls()
    expect((await s.deliver(await aboutToken(s, 20, token))).status).toBe(200)
    expect(s.calls()).toBe(calls)
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
  })
  test('voided in full ends access; some units are money only', async () => {
    const token = s.server.store.buy('lifetime.one')
    const coins = s.server.store.buy('coins.100', { quantity: 5 })
    await s.token('svc_ada', token, 'lifetime')
    await s.token('svc_ada', coins, 'coins_100')
    await s.deliverAll()
    s.server.store.refundUnits(coins, 2)
    await s.deliverAll()
    expect((await purchases()).map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE'])
    s.server.store.refund(token)
    await s.deliverAll()
    expect(await access(s, 'svc_ada')).toEqual({})
    expect((await purchases()).map(({ status }) => status).sort()).toEqual(['ACTIVE', 'REFUNDED'])
  })
  test('a refund of a known purchase needs no store', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.token('svc_ada', token, 'pro')
    await s.deliverAll()
    s.server.store.refund(token)
    const push = await next()
    s.server.faults = { status: 503 }
    expect((await s.deliver(push)).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({})
  })
  test('a pending or given up purchase is no row', async () => {
    s.server.store.settle(s.server.store.buyPending('coins.100'), false)
    await s.deliverAll()
    expect(await purchases()).toEqual([])
    expect((await inbox()).map(({ status }) => status)).toEqual(['IGNORED'])
  })
  test('a test of the connection is acknowledged and ignored', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    const body = JSON.parse(push.body)
    const data = {
      version: '1.0',
      packageName: 'com.example.sleep',
      eventTimeMillis: '1',
      testNotification: { version: '1.0' },
    }
    body.message.data = Buffer.from(JSON.stringify(data)).toString('base64')
    expect((await s.deliver({ ...push, body: JSON.stringify(body) })).status).toBe(200)
    expect((await inbox()).map(({ status, type }) => [status, type])).toEqual([['IGNORED', 'TEST']])
    expect(s.calls()).toBe(0)
  })
  test('of a product that the catalogue lacks is kept, and counts once the product is there', async () => {
    const { products: p } = s.ctx.tables
    const rename = async (androidId: string) => {
      await s.ctx.write((tx) => tx.db.update(p).set({ androidId }).where(eq(p.identifier, 'lifetime')))
      s.ctx.state.projects.forget(s.project.id)
    }
    await rename('another')
    const token = s.server.store.buy('lifetime.one')
    const push = await next()
    expect((await s.deliver(push)).status).toBe(200)
    expect((await inbox()).map(({ status }) => status)).toEqual(['FAILED'])
    expect((await purchases()).map(({ productId }) => productId)).toEqual([null])
    await rename('lifetime.one')
    expect((await s.deliver(push)).body.data.duplicate).toBe(false)
    expect((await inbox()).map(({ status }) => status)).toEqual(['PROCESSED'])
    await s.token('svc_ada', token, 'lifetime')
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })
  test('a token that the store does not know any more is ignored', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    s.server.store.subscriptions.delete(token)
    expect((await s.deliver(push)).status).toBe(200)
    expect((await inbox()).map(({ status }) => status)).toEqual(['IGNORED'])
  })
})

describe('a push again', () => {
  test('is a duplicate without a call', async () => {
    s.server.store.subscribe(ANDROID_MONTHLY)
    const push = await next()
    await s.deliver(push)
    const calls = s.calls()
    expect((await s.deliver(push)).body).toEqual({ data: { received: true, duplicate: true } })
    expect(s.calls()).toBe(calls)
  })
  test('a hundred times at once has one effect, and the others are told to wait', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    const push = await next()
    await s.deliver({ ...push, body: '{}' }) // Google's keys are in memory from now on.
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
    s.server.faults = { until }
    const all = Array.from({ length: 100 }, () => s.deliver(push))
    await Promise.race(all)
    letGo()
    const answers = await Promise.all(all)
    const codes = new Set(answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`))
    for (const code of codes) expect(['200 ', '409 WEBHOOK_IN_PROGRESS']).toContain(code)
    expect(answers.filter(({ body }) => body.data?.duplicate === false)).toHaveLength(1)
    const busy = answers.find(({ status }) => status === 409)
    expect(busy?.headers.get('retry-after')).toBe('5')
    expect(await inbox()).toHaveLength(1)
    const { id } = await rowOf(s, synthetic(token))
    expect((await eventTypes(s, id)).length).toBe(4)
    expect(await s.ctx.db.select().from(s.ctx.tables.ledger)).toHaveLength(1)
  })
  test('beside its receipt, both at once many times, has one effect', async () => {
    const token = s.server.store.subscribe(ANDROID_YEARLY)
    const push = await next()
    const calls = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? s.token('svc_ada', token, 'pro') : s.deliver(push),
    )
    for (const { status } of await Promise.all(calls)) expect([200, 409]).toContain(status)
    expect(Object.keys(await access(s, 'svc_ada')).sort()).toEqual(['coach', 'pro'])
    expect(await purchases()).toHaveLength(1)
    expect(await s.ctx.db.select().from(s.ctx.tables.transactions)).toHaveLength(1)
    // A push that was first granted to somebody unknown, and the receipt then moved all of it.
    const entries = await s.ctx.db.select().from(s.ctx.tables.ledger)
    expect(entries.filter(({ type }) => type === 'PURCHASE')).toHaveLength(1)
    expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(500n)
    expect(await balances(s, 'svc_ada')).toEqual({ coins: 500 })
  })
})
