import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import type { RefundShieldSettings } from '../../src/intake/refund-shield/settings'
import type { ConsumptionAnswer } from '../../src/stores/ios/api-client-shapes'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { COINS, LIFETIME, MONTHLY, YEARLY } from '../support/cast'
import { changeSettings, identify, refund, renew, rowOf } from '../support/facts'
import { type IosApiStage, iosApiStage, saveShield, sold } from '../support/ios-api'
import { notify } from '../support/notify'

let s: IosApiStage
beforeEach(async () => {
  s = await iosApiStage()
})
afterEach(() => s.close())

/** The store asks now; returns our answer after the delay. */
async function askAbout(transaction: TransactionPayload): Promise<ConsumptionAnswer & { transactionId: string }> {
  const before = s.answers().length
  expect((await notify(s, ['CONSUMPTION_REQUEST', null], transaction)).status).toBe(200)
  s.ctx.clock.advance(HOUR)
  await s.work()
  const [answer, ...more] = s.answers().slice(before)
  if (!answer || more.length > 0) throw new Error(`${more.length + (answer ? 1 : 0)} answers`)
  return answer
}

const later = (ms: number) => s.ctx.clock.advance(ms)

const spend = async (device: string, amount: number) => {
  const idempotencyKey = `spend-${device}-${amount}-${s.ctx.clock.now()}`
  const path = `/v1/virtual-currencies/${device}/coins/transactions`
  const answer = await s.post(path, { amount: -amount, idempotencyKey }, { key: s.project.secretKey })
  expect(answer.status).toBe(200)
}

test('Ada, a new customer in her first week: every member', async () => {
  const token = '7e3fb20b-4cdb-47cc-936d-99d65f608138'
  const month = await sold(s, 'svc_ada', MONTHLY, { appAccountToken: token })
  later(2 * DAY)
  expect(await askAbout(month)).toEqual({
    transactionId: month.transactionId,
    customerConsented: true,
    consumptionStatus: 1,
    platform: 1,
    sampleContentProvided: false,
    deliveryStatus: 0,
    appAccountToken: token,
    accountTenure: 1,
    playTime: 0,
    lifetimeDollarsPurchased: 2,
    lifetimeDollarsRefunded: 1,
    userStatus: 1,
    refundPreference: 2,
  })
})

test('Bo, in the second year, after a trial and a refund: every member', async () => {
  const trial = await sold(s, 'svc_bo', MONTHLY, { withTrial: true })
  let last = trial
  for (let month = 0; month < 14; month++) {
    s.ctx.clock.set(last.expiresDate ?? 0)
    last = renew(s, last, MONTHLY)
    await s.receipt('svc_bo', last)
    if (month === 3) await notify(s, ['REFUND', null], refund(s, last))
  }
  s.server.facts.transactions.set(last.transactionId, s.sign(last))
  later(29 * DAY)
  expect(await askAbout(last)).toEqual({
    transactionId: last.transactionId,
    customerConsented: true,
    consumptionStatus: 3,
    platform: 1,
    sampleContentProvided: true,
    deliveryStatus: 0,
    accountTenure: 7,
    playTime: 0,
    lifetimeDollarsPurchased: 4, // 14 * 9.99
    lifetimeDollarsRefunded: 2,
    userStatus: 1,
    refundPreference: 2,
  })
})

test('Cy, whose month is over: nothing is his any more', async () => {
  const month = await sold(s, 'svc_cy', MONTHLY)
  later(40 * DAY)
  expect(await askAbout(month)).toMatchObject({ consumptionStatus: 3, userStatus: 0, accountTenure: 4 })
})

test('the period that was asked about counts, not the one that runs', async () => {
  const first = await sold(s, 'svc_ada', MONTHLY)
  s.ctx.clock.set(first.expiresDate ?? 0)
  await s.receipt('svc_ada', renew(s, first, MONTHLY))
  expect(await askAbout(first)).toMatchObject({ transactionId: first.transactionId, consumptionStatus: 3 })
})

const elapsed: [days: number, status: 1 | 2 | 3][] = [
  [5, 1],
  [15, 2],
  [28, 3],
]
for (const [days, consumptionStatus] of elapsed)
  test(`a month after ${days} days: ${consumptionStatus}`, async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    later(days * DAY)
    expect(await askAbout(month)).toMatchObject({ consumptionStatus })
  })

const tenures: [days: number, accountTenure: number][] = [
  [2, 1],
  [3, 2],
  [10, 3],
  [30, 4],
  [90, 5],
  [180, 6],
  [365, 7],
]
for (const [days, accountTenure] of tenures)
  test(`an account of ${days} days: ${accountTenure}`, async () => {
    await s.get('/v1/me', 'svc_ada')
    later(days * DAY - HOUR)
    expect(await askAbout(await sold(s, 'svc_ada', YEARLY))).toMatchObject({ accountTenure })
  })

describe('dollars', () => {
  const bought: [name: string, prices: number[], bucket: number][] = [
    ['of less than 50', [49_990], 2],
    ['of 50', [50_000], 3],
    ['of 100', [60_000, 40_000], 4],
    ['of 500', [199_990, 300_010], 5],
    ['of 1000', [1_000_000], 6],
    ['of 2000', [999_990, 1_000_010], 7],
  ]
  for (const [name, prices, lifetimeDollarsPurchased] of bought)
    test(`paid ${name}: ${lifetimeDollarsPurchased}`, async () => {
      let last: TransactionPayload | null = null
      for (const price of prices) last = await sold(s, 'svc_ada', { ...COINS, price })
      if (!last) throw new Error('nothing was bought')
      expect(await askAbout(last)).toMatchObject({ lifetimeDollarsPurchased, lifetimeDollarsRefunded: 1 })
    })

  test('given back count beside those paid', async () => {
    const first = await sold(s, 'svc_ada', { ...LIFETIME, price: 120_000 })
    await notify(s, ['REFUND', null], refund(s, first))
    later(1)
    const second = await sold(s, 'svc_ada', { ...COINS, price: 10_000 })
    expect(await askAbout(second)).toMatchObject({ lifetimeDollarsPurchased: 4, lifetimeDollarsRefunded: 4 })
  })

  test('that nobody knows are not told as none', async () => {
    await sold(s, 'svc_ada', { ...LIFETIME, currency: 'TRY' })
    const asked = await sold(s, 'svc_ada', COINS)
    expect(await askAbout(asked)).toMatchObject({ lifetimeDollarsPurchased: 0, lifetimeDollarsRefunded: 1 })
  })

  test('of other people and other projects do not count', async () => {
    await sold(s, 'svc_bo', { ...LIFETIME, price: 900_000 })
    const dear = s.buy({ ...LIFETIME, price: 900_000 })
    await s.receipt('svc_ada', dear, { key: s.other.publicKey })
    expect(await askAbout(await sold(s, 'svc_ada', COINS))).toMatchObject({ lifetimeDollarsPurchased: 2 })
  })
})

describe('coins', () => {
  const spendings: [spent: number, status: 1 | 2 | 3][] = [
    [0, 1],
    [1, 2],
    [99, 2],
    [100, 3],
  ]
  for (const [spent, consumptionStatus] of spendings)
    test(`${spent} of 100 spent: ${consumptionStatus}`, async () => {
      const coins = await sold(s, 'svc_ada', COINS)
      if (spent > 0) await spend('svc_ada', spent)
      expect(await askAbout(coins)).toMatchObject({ consumptionStatus, userStatus: 0 })
    })

  test('of the first of two packs are spent first', async () => {
    const first = await sold(s, 'svc_ada', COINS)
    later(DAY)
    const second = await sold(s, 'svc_ada', COINS)
    await spend('svc_ada', 100)
    expect(await askAbout(first)).toMatchObject({ consumptionStatus: 3 })
    expect(await askAbout(second)).toMatchObject({ consumptionStatus: 1 })
    await spend('svc_ada', 1)
    expect(await askAbout(second)).toMatchObject({ consumptionStatus: 2 })
  })

  test('of a pack of several count together', async () => {
    const packs = await sold(s, 'svc_ada', COINS, { quantity: 3 })
    await spend('svc_ada', 250)
    expect(await askAbout(packs)).toMatchObject({ consumptionStatus: 2 })
    await spend('svc_ada', 50)
    expect(await askAbout(packs)).toMatchObject({ consumptionStatus: 3 })
  })

  test('are followed to the phone that the account moved to, and so is its age', async () => {
    await identify(s, 'svc_old_phone', 'ada@example.com')
    const coins = await sold(s, 'svc_old_phone', COINS)
    await spend('svc_old_phone', 40)
    later(400 * DAY)
    await identify(s, 'svc_new_phone', 'ada@example.com')
    expect((await rowOf(s, 'svc_old_phone')).mergedInto).toBe((await rowOf(s, 'svc_new_phone')).id)
    expect(await askAbout(coins)).toMatchObject({ consumptionStatus: 2, accountTenure: 7 })
    await spend('svc_new_phone', 60)
    expect(await askAbout(coins)).toMatchObject({ consumptionStatus: 3 })
  })

  test('that the product does not grant leave the consumption undeclared', async () => {
    const lifetime = await sold(s, 'svc_ada', LIFETIME)
    expect(await askAbout(lifetime)).toMatchObject({ consumptionStatus: 0, userStatus: 1 })
  })

  test('of a subscription do not stand before its period', async () => {
    const year = await sold(s, 'svc_ada', YEARLY)
    await spend('svc_ada', 500)
    expect(await askAbout(year)).toMatchObject({ consumptionStatus: 1 })
  })
})

const policies: [RefundShieldSettings['policy'], 1 | 2 | 3][] = [
  ['decline', 2],
  ['grant', 1],
  ['neutral', 3],
]
for (const [policy, refundPreference] of policies)
  test(`the policy ${policy} prefers ${refundPreference}, as it stands when the answer goes out`, async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    await notify(s, ['CONSUMPTION_REQUEST', null], month)
    await saveShield(s, { policy })
    later(HOUR)
    await s.work()
    expect(s.answers()).toMatchObject([{ refundPreference }])
  })

test('access that the project gives to nobody is none', async () => {
  const month = await sold(s, 'svc_ada', MONTHLY)
  await changeSettings(s, { sandboxAccess: 'nobody' })
  expect(await askAbout(month)).toMatchObject({ userStatus: 0 })
})

test('a purchase that only the store told of is answered for, without what is not known', async () => {
  const month = s.buy(MONTHLY)
  s.server.facts.transactions.set(month.transactionId, s.sign(month))
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], month)
  const answer = await askAbout(month)
  expect(answer).toMatchObject({ consumptionStatus: 1, accountTenure: 1, lifetimeDollarsPurchased: 2 })
  expect(answer).not.toHaveProperty('appAccountToken')
})

test('a renewal that nobody told yet: the customer is known, the period is not', async () => {
  const month = await sold(s, 'svc_ada', MONTHLY)
  s.ctx.clock.set(month.expiresDate ?? 0)
  const renewed = renew(s, month, MONTHLY)
  s.server.facts.transactions.set(renewed.transactionId, s.sign(renewed))
  expect(await askAbout(renewed)).toMatchObject({ consumptionStatus: 0, accountTenure: 4, lifetimeDollarsPurchased: 2 })
})

describe('play time', () => {
  const play = async (device: string, durationMs: number) => {
    const occurredAt = new Date(s.ctx.clock.now()).toISOString()
    const body = { subscriberId: device, events: [{ type: 'close', occurredAt, durationMs }] }
    expect((await s.post('/v1/sdk/sessions', body)).status).toBe(202)
  }

  test('is what the sessions of the buyer add up to, on all of their devices', async () => {
    await identify(s, 'svc_old_phone', 'ada')
    await play('svc_old_phone', HOUR)
    const month = await sold(s, 'svc_ada', MONTHLY)
    await identify(s, 'svc_ada', 'ada')
    await play('svc_ada', 5 * HOUR)
    await play('svc_bo', 300 * HOUR)
    expect((await askAbout(month)).playTime).toBe(4)
  })

  test('is not declared where sessions have no length', async () => {
    const month = await sold(s, 'svc_ada', MONTHLY)
    await play('svc_ada', 0)
    expect((await askAbout(month)).playTime).toBe(0)
  })
})
