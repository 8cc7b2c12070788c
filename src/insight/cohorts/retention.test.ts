import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addPeriod } from '../../base/lib/period'
import { foldAsOf } from '../../people/purchases/fold'
import {
  anyLife,
  day,
  foldOf,
  mark,
  renewal,
  START,
  sold,
  trial,
  usd,
  word,
} from '../../people/purchases/lives.fixtures'
import type { Observation } from '../../stores/observation'
import { monthReader } from './analysis'
import { anniversaries, isPaid, MOST_MONTHS, paidInstants, RetentionTable, type Starter, sharesOf } from './retention'

const bought = (...observations: Observation[]) => ({ fold: foldOf(observations), observations })

describe('paid on a day', () => {
  const cases: [fact: string, observations: Observation[], onDay: number, isPaid: boolean][] = [
    ['before it was bought', [sold()], -1, false],
    ['at the instant of buying', [sold()], 0, true],
    ['in the last moment', [sold()], 29.999, true],
    ['at its end', [sold()], 30, false],
    ['in the renewed period', [sold(), renewal()], 45, true],
    ['after the renewed period', [sold(), renewal()], 60, false],
    ['on trial', [trial()], 3, false],
    ['after a trial that was not converted', [trial()], 8, false],
    ['a free period', [sold({ price: usd(0) })], 5, false],
    ['a price that the store does not tell', [sold({ price: null })], 5, true],
    ['shared by a family member', [sold({ ownershipType: 'FAMILY_SHARED' })], 5, false],
    ['before a refund', [sold(), mark('REFUND', 10)], 9, true],
    ['after a refund', [sold(), mark('REFUND', 10)], 11, false],
    ['after a refund that was reversed', [sold(), mark('REFUND', 10), mark('REVERSAL', 12)], 13, true],
    ['between a refund and its reversal', [sold(), mark('REFUND', 10), mark('REVERSAL', 12)], 11, false],
    ['in a grace period', [sold(), word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })], 40, true],
    ['after a grace period', [sold(), word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })], 46, false],
    ['in a billing retry', [sold(), word(29, { billingTrouble: 'RETRY' })], 31, false],
    ['paused', [sold(), word(30, { pausedAt: day(30), autoResumeAt: day(50) })], 40, false],
  ]
  for (const [fact, observations, onDay, expected] of cases)
    test(`${fact}: ${expected}`, () =>
      expect(paidInstants([bought(...observations)], [day(onDay)])).toEqual([expected]))

  test('one of two subscriptions suffices, and none is not paid', () => {
    const ended = bought(sold())
    const running = bought(sold({ transactionId: '9', purchaseDate: day(20), expiresAt: day(80) }))
    expect(paidInstants([ended, running], [day(10), day(50)])).toEqual([true, true])
    expect(paidInstants([], [day(10)])).toEqual([false])
  })

  test('without observations the saved state decides', () => {
    expect(paidInstants([{ fold: foldOf([sold()]), observations: [] }], [-1, 10, 31].map(day))).toEqual([
      false,
      true,
      false,
    ])
  })

  test('many instants at once give what each gives alone, for any life and arrival', () => {
    fc.assert(
      fc.property(anyLife, fc.array(fc.integer({ min: -5, max: 300 }), { minLength: 1 }), (life, days) => {
        const instants = days.sort((a, b) => a - b).map(day)
        const alone = instants.map((at) => isPaid(foldAsOf(life, 'SUBSCRIPTION', at), at))
        expect(paidInstants([bought(...life)], instants)).toEqual(alone)
        expect(paidInstants([bought(...life.toReversed())], instants)).toEqual(alone)
      }),
      { seed: 20261120 },
    )
  })
})

describe('months after a start', () => {
  test('are of the calendar, and none lies in the future', () => {
    const from = Date.UTC(2026, 0, 31, 12)
    const days = anniversaries(from, Date.UTC(2026, 3, 30, 12)).map((at) => new Date(at).toISOString().slice(0, 10))
    expect(days).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'])
    expect(anniversaries(from, Date.UTC(2026, 3, 30, 12) - 1)).toHaveLength(3)
    expect(anniversaries(from, from)).toEqual([from])
    expect(anniversaries(from, from - 1)).toEqual([])
  })

  test('end after three years', () => {
    const all = anniversaries(START, Date.UTC(2040, 0, 1))
    expect(all.at(-1)).toBe(addPeriod(START, `P${MOST_MONTHS}M`))
    expect(all).toHaveLength(MOST_MONTHS + 1)
  })
})

const table = (now: number, starters: readonly Starter[], timezone = 'UTC') => {
  const made = new RetentionTable(monthReader(timezone), now)
  for (const starter of starters) made.add(starter)
  return made.toRows()
}

describe('the table', () => {
  const starter = (onDay: number, ...observations: Observation[]): Starter => ({
    startedAt: day(onDay),
    subscriptions: observations.length === 0 ? [] : [bought(...observations)],
  })

  test('counts each person in the month of the start, and lists the n that all of the month have reached', () => {
    const rows = table(Date.UTC(2026, 3, 1), [
      starter(0, sold(), renewal()), // Paid until 2 March: on the first of three months.
      starter(0, sold()), // Paid until 31 January.
      starter(30, sold()), // Starts on 31 January, when it has ended.
      starter(31),
    ])
    expect(rows).toEqual([
      { start: Date.UTC(2026, 0, 1), size: 3, paid: [2, 1, 1] },
      { start: Date.UTC(2026, 1, 1), size: 1, paid: [0, 0] },
    ])
    expect(rows.map(sharesOf)).toEqual([
      [0.6667, 0.3333, 0.3333],
      [0, 0],
    ])
  })

  test('of a month that is not over has only the start', () => {
    expect(table(day(40), [starter(35, sold({ purchaseDate: day(35), expiresAt: day(65) }))])).toEqual([
      { start: Date.UTC(2026, 1, 1), size: 1, paid: [1] },
    ])
  })

  test('is empty without people', () => expect(table(day(40), [])).toEqual([]))

  test('has the months of the time zone', () => {
    const at = { startedAt: Date.UTC(2026, 0, 31, 23), subscriptions: [] }
    expect(table(day(40), [at], 'Europe/Berlin').map(({ start }) => start)).toEqual([Date.UTC(2026, 0, 31, 23)])
    expect(table(day(40), [at], 'UTC').map(({ start }) => start)).toEqual([Date.UTC(2026, 0, 1)])
  })

  test('has everybody exactly once, and no share above 1', () => {
    const starters = fc.array(fc.record({ onDay: fc.integer({ min: 0, max: 400 }), life: anyLife }), { maxLength: 12 })
    fc.assert(
      fc.property(starters, (people) => {
        const rows = table(
          day(500),
          people.map(({ onDay, life }) => starter(onDay, ...life)),
        )
        expect(rows.reduce((sum, { size }) => sum + size, 0)).toBe(people.length)
        expect(rows.flatMap(sharesOf).every((share) => share >= 0 && share <= 1)).toBe(true)
        expect(rows.map(({ start }) => start)).toEqual(rows.map(({ start }) => start).sort((a, b) => a - b))
      }),
      { seed: 20261120, numRuns: 50 },
    )
  })
})
