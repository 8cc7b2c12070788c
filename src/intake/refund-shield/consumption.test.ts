import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import type { ConsumptionAnswer } from '../../stores/ios/api-client-shapes'
import { type ConsumptionFacts, computeConsumption } from './consumption'
import type { RefundShieldSettings } from './settings'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120
const nothing: ConsumptionFacts = {
  now: NOW,
  period: null,
  credits: null,
  firstSeenAt: null,
  playTimeMs: null,
  purchasedUsdMicros: null,
  refundedUsdMicros: null,
  hadTrial: false,
  isEntitled: false,
  appAccountToken: null,
}

const answer = (
  facts: Partial<ConsumptionFacts>,
  policy: RefundShieldSettings['policy'] = 'decline',
): ConsumptionAnswer => computeConsumption({ ...nothing, ...facts }, { policy, customerConsented: true })

describe('what is said', () => {
  test('of a customer of whom nothing is known', () => {
    expect(answer({})).toEqual({
      customerConsented: true,
      consumptionStatus: 0,
      platform: 1,
      sampleContentProvided: false,
      deliveryStatus: 0,
      accountTenure: 0,
      playTime: 0,
      lifetimeDollarsPurchased: 0,
      lifetimeDollarsRefunded: 0,
      userStatus: 0,
      refundPreference: 2,
    })
  })

  test('of a customer who is well known', () => {
    const facts: ConsumptionFacts = {
      now: NOW,
      period: { startsAt: NOW - 15 * DAY, endsAt: NOW + 15 * DAY },
      credits: null,
      firstSeenAt: NOW - 100 * DAY,
      playTimeMs: 2 * HOUR,
      purchasedUsdMicros: 119_880_000,
      refundedUsdMicros: 0,
      hadTrial: true,
      isEntitled: true,
      appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
    }
    expect(computeConsumption(facts, { policy: 'neutral', customerConsented: true })).toEqual({
      customerConsented: true,
      consumptionStatus: 2,
      platform: 1,
      sampleContentProvided: true,
      deliveryStatus: 0,
      appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
      accountTenure: 5,
      playTime: 3,
      lifetimeDollarsPurchased: 4,
      lifetimeDollarsRefunded: 1,
      userStatus: 1,
      refundPreference: 3,
    })
  })

  const PREFERENCES = [
    ['decline', 2],
    ['grant', 1],
    ['neutral', 3],
  ] as const
  for (const [policy, preference] of PREFERENCES)
    test(`policy ${policy} prefers ${preference}`, () => {
      expect(answer({}, policy).refundPreference).toBe(preference)
    })

  const periods: [name: string, elapsed: number, status: number][] = [
    ['before it begins', -1, 1],
    ['at its beginning', 0, 1],
    ['a millisecond before a quarter', 25 * DAY - 1, 1],
    ['at a quarter', 25 * DAY, 2],
    ['at nine tenths', 90 * DAY, 2],
    ['a millisecond after nine tenths', 90 * DAY + 1, 3],
    ['at its end', 100 * DAY, 3],
    ['long after its end', 900 * DAY, 3],
  ]
  for (const [name, elapsed, status] of periods)
    test(`a period ${name}: ${status}`, () => {
      const period = { startsAt: NOW - elapsed, endsAt: NOW - elapsed + 100 * DAY }
      expect(answer({ period }).consumptionStatus).toBe(status as 1)
    })

  test('a period without length is used up', () => {
    expect(answer({ period: { startsAt: NOW, endsAt: NOW } }).consumptionStatus).toBe(3)
  })

  const credits: [granted: number, spent: number, status: number][] = [
    [100, 0, 1],
    [100, 1, 2],
    [100, 99, 2],
    [100, 100, 3],
    [100, 140, 3],
    [100, -3, 1],
    [0, 0, 0],
  ]
  for (const [granted, spent, status] of credits)
    test(`${spent} of ${granted} credits spent: ${status}`, () => {
      expect(answer({ credits: { granted: BigInt(granted), spent: BigInt(spent) } }).consumptionStatus).toBe(
        status as 1,
      )
    })

  test('credits count before a period', () => {
    const period = { startsAt: NOW - 99 * DAY, endsAt: NOW + DAY }
    expect(answer({ period, credits: { granted: 5n, spent: 0n } }).consumptionStatus).toBe(1)
  })

  /** Every bound with its bucket, and the last value below it. */
  const bounds = (values: number[], step: number): [value: number, bucket: number][] =>
    values.flatMap((value, index) => [
      [value - step, index + 1],
      [value, index + 2],
    ])

  for (const [age, bucket] of [
    [0, 1],
    ...bounds(
      [3, 10, 30, 90, 180, 365].map((days) => days * DAY),
      1,
    ),
    [9999 * DAY, 7],
  ])
    test(`an account of ${(age ?? 0) / DAY} days: ${bucket}`, () => {
      expect(answer({ firstSeenAt: NOW - (age ?? 0) }).accountTenure).toBe(bucket as 1)
    })

  test('an account first seen after the request is new', () => {
    expect(answer({ firstSeenAt: NOW + DAY }).accountTenure).toBe(1)
  })

  const minutes = [5, 60, 360, 1440, 5760, 23_040].map((count) => count * MINUTE)
  for (const [played, bucket] of [[0, 0], [1, 1], ...bounds(minutes, 1), [99_999 * MINUTE, 7]])
    test(`${(played ?? 0) / MINUTE} minutes of sessions: ${bucket}`, () => {
      expect(answer({ playTimeMs: played ?? 0 }).playTime).toBe(bucket as 1)
    })

  const dollars = [50, 100, 500, 1000, 2000].map((count) => count * 1_000_000)
  const money = bounds(dollars, 1).map(([micros, bucket]) => [micros, bucket + 1])
  for (const [micros, bucket] of [[-1, 1], [0, 1], [1, 2], ...money, [9_000_000_000_000, 7]])
    test(`${(micros ?? 0) / 1_000_000} dollars: ${bucket}`, () => {
      const usd = micros ?? 0
      const said = answer({ purchasedUsdMicros: usd, refundedUsdMicros: usd })
      expect([said.lifetimeDollarsPurchased, said.lifetimeDollarsRefunded]).toEqual([bucket as 1, bucket as 1])
    })

  test('an account token not known is left out', () => {
    expect(answer({})).not.toHaveProperty('appAccountToken')
  })

  test('more of anything never gives a lower bucket', () => {
    const value = fc.integer({ min: 0, max: 3_000_000_000 })
    const property = fc.property(value, value, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((each) =>
        answer({ playTimeMs: each, purchasedUsdMicros: each, firstSeenAt: NOW - each }),
      )
      expect(less?.playTime ?? 0).toBeLessThanOrEqual(more?.playTime ?? 0)
      expect(less?.accountTenure ?? 0).toBeLessThanOrEqual(more?.accountTenure ?? 0)
      expect(less?.lifetimeDollarsPurchased ?? 0).toBeLessThanOrEqual(more?.lifetimeDollarsPurchased ?? 0)
    })
    fc.assert(property, { seed: SEED, numRuns: 500 })
  })
})
