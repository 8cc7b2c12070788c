import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../base/lib/clock'
import { isSimulatedPayment, isSimulatedToken, isSimulatedTransaction } from '../../stores/test-keys/ids'
import { buyAtAndroid } from './android-life'
import { buyAtIos } from './ios-life'
import { type SimulatedTerms, TURNS, type Turn, type TurnOrder } from './life'
import { dueOf, type Life, redated, turnLife } from './lives'
import { buyAtPayment } from './payment-life'

const SEED = 20261120
const NOW = Date.UTC(2026, 0, 31, 8)

const monthly: SimulatedTerms = {
  identifier: 'pro_monthly',
  productId: 'com.x.pro.monthly',
  basePlanId: 'monthly',
  type: 'SUBSCRIPTION',
  period: 'P1M',
  price: { amountMicros: 9_990_000, currency: 'USD' },
  trialPeriod: 'P1W',
}
const yearly: SimulatedTerms = { ...monthly, identifier: 'pro_yearly', productId: 'com.x.pro.yearly', period: 'P1Y' }
const coins: SimulatedTerms = { ...monthly, identifier: 'coins', productId: 'coins', type: 'CONSUMABLE', period: null }

const order = { deviceKey: 'ada', seed: 'seed', now: NOW, withTrial: false }

function buyPayment(terms: SimulatedTerms, withTrial = false): Life {
  const bought = buyAtPayment({ ...order, terms, withTrial, metadata: {} })
  if (!bought.ok) throw new Error(bought.why)
  return bought.life
}

const buy = (store: string, terms: SimulatedTerms, withTrial = false): Life =>
  store === 'ios'
    ? buyAtIos({ ...order, terms, withTrial, bundleId: 'com.x', previous: null }).life
    : store === 'android'
      ? buyAtAndroid({ ...order, terms, withTrial, packageName: 'com.x' }).life
      : buyPayment(terms, withTrial)

const STORES = ['ios', 'android', 'payment'] as const

let count = 0
const toOrder = (turn: Turn, now: number, more: Partial<TurnOrder> = {}): TurnOrder => ({
  ...{ turn, now, nextSeed: () => `seed ${++count}`, to: yearly, days: 7, priceMicros: 12_990_000 },
  ...more,
})

/** The purchase after turns, all of which must be possible. */
function lived(life: Life, ...turns: Turn[]): Life {
  for (const turn of turns) {
    const turned = turnLife(life, toOrder(turn, life.lastAt + DAY))
    if (!turned.ok) throw new Error(`${turn}: ${turned.why}`)
    life = turned.lives.at(-1) ?? life
  }
  return life
}

const refusal = (life: Life, turn: Turn, more: Partial<TurnOrder> = {}): string | null => {
  const turned = turnLife(life, toOrder(turn, life.lastAt + DAY, more))
  return turned.ok ? null : turned.why
}

describe('ids are no real store’s', () => {
  test('and are recognised, while those of real stores are not', () => {
    const [ios, android, payment] = [buy('ios', monthly), buy('android', monthly), buy('payment', monthly)]
    expect(isSimulatedTransaction(ios.id) && BigInt(ios.id) > 2n ** 63n).toBe(true)
    expect(isSimulatedToken(android.id)).toBe(true)
    const orderId = android.store === 'android' ? (android.subscription?.orderId ?? '') : ''
    expect(isSimulatedToken(orderId)).toBe(true)
    expect(isSimulatedPayment(payment.id)).toBe(true)
    for (const id of ['2000000123456789', '470001234567890', '99991', '', '9999123456789012345a'])
      expect([id, isSimulatedTransaction(id)]).toEqual([id, false])
    for (const id of ['abcdefghijklmnopqrstuvwx.AO-J1Oxyz', 'GPA.1234-5678-9012-34567', '', 'xsvc-simulated.'])
      expect([id, isSimulatedToken(id)]).toEqual([id, false])
    for (const id of ['sub_1PQxyz', 'sub_sim00000001', 'cs_test_sim', ''])
      expect([id, isSimulatedPayment(id)]).toEqual([id, false])
  })
})

describe('what each store can take', () => {
  const cases: [store: (typeof STORES)[number], before: Turn[], turn: Turn, why: string | null][] = [
    ['ios', [], 'pause', 'no pause'],
    ['ios', [], 'resume', 'no pause'],
    ['ios', [], 'recover', 'No charge'],
    ['ios', [], 'uncancel', 'not cancelled'],
    ['ios', ['cancel'], 'cancel', 'already'],
    ['ios', ['cancel'], 'renew', 'uncancel'],
    ['ios', ['cancel'], 'billing-issue', 'cancelled'],
    ['ios', ['cancel', 'uncancel'], 'renew', null],
    ['ios', ['billing-issue'], 'renew', 'recover'],
    ['ios', ['billing-issue'], 'extend', 'failed'],
    ['ios', ['billing-issue', 'grace-expire'], 'grace-expire', 'no grace'],
    ['ios', ['billing-issue', 'grace-expire'], 'recover', null],
    ['ios', ['refund'], 'renew', 'given back'],
    ['ios', ['refund'], 'reverse-refund', null],
    ['ios', ['refund', 'reverse-refund'], 'renew', null],
    ['ios', [], 'reverse-refund', 'reversed'],
    ['ios', ['revoke'], 'reverse-refund', 'reversed'],
    ['ios', ['expire'], 'renew', 'ended'],
    ['ios', ['expire'], 'refund', null],
    ['ios', [], 'restore', null],
    ['ios', ['refund'], 'restore', 'given back'],
    ['android', [], 'restore', 'own token'],
    ['payment', [], 'restore', 'no restore'],
    ['ios', ['upgrade'], 'upgrade', 'already'],
    ['ios', [], 'accept-price', 'consent'],
    ['ios', ['price-increase'], 'accept-price', null],
    ['android', [], 'reverse-refund', 'no refund back'],
    ['android', [], 'downgrade', 'upgrade --to'],
    ['android', [], 'resume', 'not paused'],
    ['android', ['pause'], 'cancel', 'paused'],
    ['android', ['pause'], 'resume', null],
    ['android', ['cancel'], 'pause', 'active'],
    ['android', ['billing-issue'], 'renew', 'recover'],
    ['android', ['billing-issue', 'grace-expire'], 'recover', null],
    ['android', ['refund'], 'refund', 'already'],
    ['android', ['refund'], 'renew', 'ended'],
    ['android', ['revoke'], 'cancel', 'ended'],
    ['android', ['upgrade'], 'upgrade', 'already'],
    ['android', [], 'accept-price', 'consent'],
    ['payment', [], 'revoke', 'refund'],
    ['payment', [], 'extend', 'free'],
    ['payment', [], 'price-increase', 'upgrade --to'],
    ['payment', ['refund'], 'refund', 'already'],
    ['payment', ['refund'], 'reverse-refund', null],
    ['payment', ['billing-issue'], 'recover', null],
    ['payment', ['billing-issue', 'grace-expire'], 'recover', null],
    ['payment', ['pause'], 'resume', null],
    ['payment', ['expire'], 'cancel', 'ended'],
    ['payment', ['expire'], 'renew', 'Nothing will be charged'],
    ['payment', ['cancel', 'uncancel', 'downgrade'], 'renew', null],
  ]
  for (const [store, before, turn, why] of cases)
    test(`${store}: ${turn} after ${before.join(', ') || 'the purchase'} is ${why === null ? 'taken' : 'refused'}`, () => {
      const found = refusal(lived(buy(store, monthly), ...before), turn)
      expect(found).toEqual(why === null ? null : expect.stringContaining(why))
    })

  test('what is bought once has a refund, and no periods', () => {
    for (const store of STORES) {
      const life = buy(store, coins)
      expect(dueOf(life)).toBeNull()
      for (const turn of ['renew', 'cancel', 'billing-issue', 'extend', 'upgrade'] as const)
        expect([store, turn, refusal(life, turn)]).toEqual([store, turn, expect.stringContaining('no subscription')])
      expect(refusal(life, 'refund')).toBeNull()
    }
  })

  test('what a turn needs must be named', () => {
    for (const store of ['ios', 'android'] as const) {
      const life = buy(store, monthly)
      expect(refusal(life, 'upgrade', { to: null })).toContain('--to')
      expect(refusal(life, 'price-increase', { priceMicros: null })).toContain('--price')
      expect(refusal(life, 'price-increase', { priceMicros: 1_000_000 })).toContain('higher')
      expect(refusal(life, 'extend', { days: 999 })).toContain('days')
    }
    expect(refusal(buy('ios', monthly), 'refund', { amountMicros: 9_990_000 })).toContain('less')
    expect(refusal(buy('ios', monthly), 'refund', { amountMicros: 1 })).toContain('too small')
    const atGoogle = buy('android', monthly)
    expect(refusal(atGoogle, 'refund', { amountMicros: 9_990_000 })).toContain('--partial')
    expect(refusal(atGoogle, 'refund', { amountMicros: 1, isProrated: true })).toContain('--prorated')
    expect(refusal(atGoogle, 'refund', { amountMicros: 1, item: monthly.productId })).toContain('--item')
    expect(refusal(buy('android', monthly, true), 'refund', { amountMicros: 1 })).toContain('Nothing was paid')
    expect(refusal(buy('android', coins), 'refund', { amountMicros: 1 })).toContain('one-time order')
    expect(refusal(atGoogle, 'upgrade', { isProrated: true })).toContain('more for the same time')
    for (const store of ['ios', 'payment'])
      expect(refusal(buy(store, monthly), 'refund', { isProrated: true })).toContain('Only Google Play')
    expect(refusal(buy('payment', monthly), 'refund', { amountMicros: 10_000_000 })).toContain('more than is left')
    expect(refusal(buy('payment', monthly), 'refund', { amountMicros: 1_000_000 })).toBeNull()
  })

  test('the payment test store sells no odd periods', () => {
    const bought = buyAtPayment({ ...order, terms: { ...monthly, period: 'P1M15D' }, metadata: {} })
    expect(bought).toMatchObject({ ok: false, why: expect.stringContaining('periods') })
  })
})

describe('what happens by itself', () => {
  const cases: [store: string, before: Turn[], next: Turn | null][] = [
    ['ios', [], 'renew'],
    ['ios', ['cancel'], 'expire'],
    ['ios', ['billing-issue'], 'grace-expire'],
    ['ios', ['billing-issue', 'grace-expire'], 'expire'],
    ['ios', ['price-increase'], 'expire'],
    ['ios', ['price-increase', 'accept-price'], 'renew'],
    ['ios', ['refund'], null],
    ['ios', ['expire'], null],
    ['android', [], 'renew'],
    ['android', ['cancel'], 'expire'],
    ['android', ['billing-issue'], 'grace-expire'],
    ['android', ['billing-issue', 'grace-expire'], 'expire'],
    ['android', ['pause'], 'resume'],
    ['android', ['price-increase'], 'expire'],
    ['android', ['price-increase', 'accept-price'], 'renew'],
    ['android', ['refund'], null],
    ['payment', [], 'renew'],
    ['payment', ['cancel'], 'expire'],
    ['payment', ['billing-issue'], 'expire'],
    ['payment', ['billing-issue', 'grace-expire'], null],
    ['payment', ['pause'], 'resume'],
    ['payment', ['expire'], null],
  ]
  for (const [store, before, next] of cases)
    test(`${store}: ${next ?? 'nothing'} after ${before.join(', ') || 'the purchase'}`, () => {
      const life = lived(buy(store, monthly), ...before)
      const due = dueOf(life)
      expect(due?.turn ?? null).toBe(next)
      if (due) expect(due.at).toBeGreaterThan(life.lastAt)
    })

  test('a trial is due when it ends', () => {
    for (const store of STORES) {
      const due = dueOf(buy(store, monthly, true))
      expect([store, due]).toEqual([store, { turn: 'renew', at: NOW + 7 * DAY }])
    }
  })
})

const anyLife = fc.tuple(
  fc.constantFrom(...STORES),
  fc.boolean(),
  fc.array(fc.constantFrom(...TURNS), { maxLength: 8 }),
)

/** A purchase after those of the turns that are possible. */
function someLife([store, withTrial, turns]: [(typeof STORES)[number], boolean, Turn[]]): Life {
  let life = buy(store, monthly, withTrial)
  for (const turn of turns) {
    const turned = turnLife(life, toOrder(turn, life.lastAt + 40 * DAY))
    if (turned.ok) life = turned.lives.at(-1) ?? life
  }
  return life
}

describe('laws of lives', () => {
  test('a turn is refused in a sentence, or told and dated later than everything before', () => {
    fc.assert(
      fc.property(anyLife, fc.constantFrom(...TURNS), (script, turn) => {
        const life = someLife(script)
        const turned = turnLife(life, toOrder(turn, life.lastAt)) // At the same instant as the last one.
        if (!turned.ok) return expect(turned.why).toMatch(/^[A-Z].*[.a-zD]$/)
        // Only the app tells a restore, and nobody a balance.
        expect(turned.told.length === 0).toBe(turn === 'restore' || turn === 'credit')
        expect(turned.lives[0]?.lastAt).toBeGreaterThan(life.lastAt)
        for (const told of turned.told) expect(told.store).toBe(life.store)
      }),
      { seed: SEED, numRuns: 400 },
    )
  })

  test('a life outlasts being written down', () => {
    fc.assert(
      fc.property(anyLife, (script) => {
        const life = someLife(script)
        const read = JSON.parse(JSON.stringify(life)) as Life
        expect(dueOf(read)).toEqual(dueOf(life))
        const turn = dueOf(life)?.turn ?? 'refund'
        const told = [life, read].map((one) => {
          const turned = turnLife(one, { ...toOrder(turn, one.lastAt + DAY), nextSeed: () => 'same' })
          return turned.ok ? turned.told : turned.why
        })
        expect(told[1]).toEqual(told[0])
      }),
      { seed: SEED, numRuns: 200 },
    )
  })

  test('two leaps are one, what is past stays, and what lies ahead comes nearer by as much', () => {
    fc.assert(
      fc.property(anyLife, fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), (script, a, b) => {
        const life = someLife(script)
        const savedAt = life.lastAt
        const leap = (days: number, one: Life) => redated(one, { savedAt, shiftMs: days * DAY })
        expect(leap(b, leap(a, life))).toEqual(leap(a + b, life))
        const [before, after] = [dueOf(life), dueOf(leap(a, life))]
        const movedEarlier = (at: number) => (at <= savedAt ? at : Math.max(savedAt, at - a * DAY))
        expect(after).toEqual(before && { ...before, at: movedEarlier(before.at) })
        expect(leap(9999, leap(9999, life))).toEqual(leap(9999, life))
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
