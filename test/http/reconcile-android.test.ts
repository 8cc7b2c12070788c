import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { reconcile } from '../../src/intake/reconcile/run'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { access, balances, everything, lastEvent, listenTo, money, rowOf } from '../support/facts'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
})
afterEach(() => s.close())

const ADA = 'svc_ada'

async function run(on = s, isDryRun = false) {
  const { storeRuns, listed } = await reconcile(on.ctx, { isDryRun })
  const checked = storeRuns.reduce((all, { tally }) => all + tally.checked, 0)
  const drifted = storeRuns.reduce((all, { tally }) => all + tally.drifted, 0)
  return { checked, repaired: drifted + listed.length, failed: storeRuns.reduce((all, { failed }) => all + failed, 0) }
}

/** Ada buys, and all pushes are delivered. */
async function adaBuys(on = s, productId?: string, quantity = 1): Promise<string> {
  const token =
    productId === undefined ? on.server.store.subscribe(ANDROID_MONTHLY) : on.server.store.buy(productId, { quantity })
  await on.token(ADA, token, productId ?? 'pro_monthly')
  await on.deliverAll()
  return token
}

/** All data of Ada that can be read, without the way in which it arrived and without random ids. */
async function seen(on: AndroidStage) {
  const { id } = await rowOf(on, ADA)
  const events = (await on.events(id)).map(({ type, data, before, after }) => ({ type, data, before, after }))
  const text = JSON.stringify({
    events,
    access: await access(on, ADA),
    money: await money(on, id),
    balances: await balances(on, ADA),
  })
  return JSON.parse(text.replaceAll(/\b([a-z]{3})_[0-9a-z]{26}/g, '$1'))
}

interface Lost {
  productId?: string
  after: number
  updatedAfter: number
  turn(store: AndroidStage['server']['store'], token: string): void
  events: string[]
}

describe('a push that was lost', () => {
  const cases: Record<string, Lost> = {
    'of a renewal': {
      after: 30 * DAY,
      updatedAfter: 30 * DAY + HOUR,
      turn: (store, token) => store.renew(token),
      events: ['purchase.expired', 'entitlement.revoked', 'purchase.renewed', 'entitlement.granted'],
    },
    'of a cancellation': {
      after: 2 * DAY,
      updatedAfter: 3 * DAY,
      turn: (store, token) => store.cancel(token),
      events: ['purchase.cancelled'],
    },
    'of a failed charge': {
      after: 30 * DAY,
      updatedAfter: 31 * DAY,
      turn: (store, token) => store.failPayment(token),
      events: [
        'purchase.expired',
        'entitlement.revoked',
        'purchase.billing_issue',
        'purchase.grace_period',
        'entitlement.granted',
      ],
    },
    'of a hold': {
      after: 30 * DAY,
      updatedAfter: 31 * DAY,
      turn: (store, token) => store.hold(token),
      events: ['purchase.expired', 'entitlement.revoked', 'purchase.billing_issue'],
    },
    'of a pause': {
      after: 30 * DAY,
      updatedAfter: 31 * DAY,
      turn: (store, token) => store.pause(token),
      events: ['purchase.expired', 'entitlement.revoked', 'purchase.paused'],
    },
    'of a refund': {
      after: 2 * DAY,
      updatedAfter: 2 * DAY + HOUR,
      turn: (store, token) => store.refund(token),
      events: ['purchase.refunded', 'entitlement.revoked'],
    },
    'of a chargeback, long after the store was last asked': {
      after: 20 * DAY,
      updatedAfter: 23 * DAY,
      turn: (store, token) => store.refund(token, 7),
      events: ['purchase.refunded', 'entitlement.revoked'],
    },
    'of the refund of a lifetime purchase': {
      productId: 'lifetime.one',
      after: 2 * DAY,
      updatedAfter: 3 * DAY,
      turn: (store, token) => store.refund(token),
      events: ['purchase.refunded', 'entitlement.revoked'],
    },
  }

  async function live({ productId, after, updatedAfter, turn }: Lost, update: (on: AndroidStage) => Promise<unknown>) {
    const on = await androidStage()
    try {
      const newEvents = listenTo(on, ADA)
      const token = await adaBuys(on, productId)
      const start = on.ctx.clock.now()
      await newEvents()
      on.ctx.clock.set(start + after)
      turn(on.server.store, token)
      on.ctx.clock.set(start + updatedAfter)
      await sweepPurchases(on.ctx)
      await update(on)
      return { events: await newEvents(), seen: await seen(on) }
    } finally {
      await on.close()
    }
  }

  for (const [fact, lost] of Object.entries(cases))
    test(`${fact} is made good as if it had come`, async () => {
      const late = await live(lost, (on) => on.deliverAll())
      const asked = await live(lost, async (on) => {
        expect(await run(on)).toMatchObject({ repaired: 1, failed: 0 })
        expect(await run(on)).toMatchObject({ checked: 0, repaired: 0, failed: 0 })
      })
      expect(asked.events).toEqual(lost.events)
      // A renewal has the date of its push, or, when it is fetched later, the date of the period.
      const undated = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/"purchaseDate":[^,}]+,?/g, ''))
      if (!fact.includes('chargeback')) expect(undated(asked)).toEqual(undated(late))
    })

  test('of a chargeback is told as one, and the push that comes after all changes nothing', async () => {
    const token = await adaBuys()
    s.ctx.clock.advance(2 * DAY)
    s.server.store.refund(token, 7)
    expect(await run()).toMatchObject({ repaired: 1 })
    const { id } = await rowOf(s, ADA)
    const lines = [
      ['INITIAL', 9_990_000],
      ['CHARGEBACK', -9_990_000],
    ]
    expect(await money(s, id)).toEqual(lines as never)
    const newEvents = listenTo(s, ADA)
    await newEvents()
    s.ctx.clock.advance(HOUR)
    expect((await s.deliverAll()).map(({ status }) => status)).toEqual([200])
    expect(await newEvents()).toEqual([])
    expect(await money(s, id)).toEqual(lines as never)
  })

  test('is told with its cause', async () => {
    const token = await adaBuys()
    s.server.store.cancel(token)
    s.ctx.clock.advance(2 * DAY)
    await run()
    const cause = { kind: 'RECONCILE', ref: null, store: 'ANDROID_STORE', detail: null }
    expect(await lastEvent(s, ADA, 'purchase.cancelled')).toMatchObject({ cause })
    s.server.store.refund(token)
    s.ctx.clock.advance(HOUR)
    await run()
    expect(await lastEvent(s, ADA, 'purchase.refunded')).toMatchObject({ cause })
  })

  test('of some units given back is made good', async () => {
    const token = await adaBuys(s, 'coins.100', 3)
    s.ctx.clock.advance(HOUR)
    s.server.store.refundUnits(token, 3)
    expect(await run()).toMatchObject({ repaired: 1 })
    expect(await run()).toMatchObject({ repaired: 0 })
    expect(await lastEvent(s, ADA, 'purchase.refunded')).toMatchObject({ cause: { kind: 'RECONCILE' } })
  })
})

test('what is as the store says leaves no trace but the time of the next asking', async () => {
  await adaBuys()
  const unmoved = (lines: string[]) => lines.map((line) => line.replace(/"recheckAt":\d+/, ''))
  const before = await everything(s)
  for (let day = 1; day <= 3; day++) {
    s.ctx.clock.advance(DAY)
    expect(await run()).toEqual({ checked: 1, repaired: 0, failed: 0 })
  }
  expect(unmoved(await everything(s))).toEqual(unmoved(before))
})

test('a dry run finds refunds and drift, and writes nothing at all', async () => {
  const [refunded, cancelled] = [await adaBuys(), await adaBuys()]
  s.ctx.clock.advance(2 * DAY)
  s.server.store.refund(refunded)
  s.server.store.cancel(cancelled)
  const before = await everything(s)
  // The refunded purchase is also reported as ended.
  expect(await run(s, true)).toMatchObject({ repaired: 3, failed: 0 })
  expect(await everything(s)).toEqual(before)
  expect(await run()).toMatchObject({ repaired: 2, failed: 0 })
})

describe('faults', () => {
  test('leaves purchases due while Google is away, and are asked about when it is back', async () => {
    const token = await adaBuys()
    s.server.store.cancel(token)
    s.ctx.clock.advance(2 * DAY)
    s.server.faults = { status: 503 }
    expect(await run()).toEqual({ checked: 0, repaired: 0, failed: 1 })
    s.server.faults = {}
    s.ctx.clock.advance(HOUR)
    expect(await run()).toEqual({ checked: 1, repaired: 1, failed: 0 })
  })

  test('with a row of the refunds keeps nothing else waiting', async () => {
    const token = await adaBuys()
    s.server.store.cancel(token)
    s.ctx.clock.advance(2 * DAY)
    s.server.store.voided.push({ purchaseToken: '' })
    expect(await run()).toEqual({ checked: 1, repaired: 1, failed: 0 })
  })
})
