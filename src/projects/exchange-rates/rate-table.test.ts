import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { HOUR } from '../../base/lib/clock'
import { dayOf, isWeekday, readDate, toDate, weekdaysBetween } from './day'
import { writeRate } from './rate'
import { RateTable, type StoredDay } from './rate-table'
import { expectedDay, fileFor, isDue, isStale } from './schedule'
import { gapsOf } from './status'

const day = (date: string): number => readDate(date) ?? Number.NaN
const at = (time: string): number => Date.parse(time)
const loaded = (number: number, rates: Record<string, string>): StoredDay => ({
  ...{ source: 'LOADED', day: number, rates: JSON.stringify(rates) },
})
const fetched = (number: number, rates: Record<string, string>): StoredDay => ({
  ...{ source: 'ECB', day: number, rates: JSON.stringify(rates) },
})
const packaged = (number: number, rates: Record<string, string>): StoredDay => ({
  ...{ source: 'PACKAGE', day: number, rates: JSON.stringify(rates) },
})
const textAt = (table: RateTable, currency: string, number: number): string | null => {
  const found = table.find(currency, number)
  return found && `${found.day} ${writeRate(found.rate)}`
}

describe('the rate of a day', () => {
  const table = RateTable.EMPTY.with([
    fetched(14, { USD: '1.2' }),
    fetched(10, { USD: '1.1' }),
    loaded(12, { TRY: '0.03' }),
  ])
  const cases: [currency: string, day: number, found: string | null][] = [
    ['EUR', 9, null],
    ['EUR', 10, '10 1.1'],
    ['EUR', 13, '10 1.1'],
    ['EUR', 14, '14 1.2'],
    ['EUR', 9999, '14 1.2'],
    ['TRY', 11, null],
    ['TRY', 12, '12 0.03'],
    ['XXX', 12, null],
    ['USD', -5, '-5 1'],
  ]
  for (const [currency, number, found] of cases)
    test(`${currency} on day ${number}: ${found ?? 'none'}`, () => {
      expect(textAt(table, currency, number)).toBe(found)
    })

  test('a text that is no code never matches, whatever it contains', () => {
    const own = RateTable.EMPTY.with([fetched(1, { USD: '1.1', JPY: '160', GBP: '0.8' })])
    for (const text of ['JPY":"160","GBP', 'JP', 'jpy', '', '"', 'USD":"1.1","JPY'])
      expect([own.find(text, 2), own.isKnownCurrency(text)]).toEqual([null, false])
  })

  test('which currencies are known', () => {
    expect(['EUR', 'TRY', 'USD', 'XXX', 'eur', ''].filter((currency) => table.isKnownCurrency(currency))).toEqual([
      'EUR',
      'TRY',
      'USD',
    ])
    expect(table.currencies).toEqual(['EUR', 'TRY'])
  })

  test('a newer rate counts; of one day loaded rates come first, then fetched ones, then those of the executable', () => {
    const own = RateTable.EMPTY.with([
      packaged(10, { RUB: '1/90', AED: '1/3.6725' }),
      fetched(10, { USD: '1', RUB: '100' }),
      packaged(20, { RUB: '1/80', AED: '1/3.6725' }),
      loaded(20, { AED: '0.5' }),
    ])
    expect([9, 10, 19, 20].map((number) => textAt(own, 'RUB', number))).toEqual([
      null,
      '10 1/100',
      '10 1/100',
      '20 1/80',
    ])
    expect([10, 20].map((number) => textAt(own, 'AED', number))).toEqual(['10 1/3.6725', '20 0.5'])
    expect(['RUB', 'AED', 'EUR', 'XXX'].map((currency) => own.sourceOf(currency))).toEqual([
      'PACKAGE',
      'LOADED',
      'ECB',
      null,
    ])
    expect([own.currencies, own.span('RUB')]).toEqual([['AED', 'EUR', 'RUB'], { first: 10, last: 20 }])
  })

  test('a table never changes: another one has the new rates', () => {
    const next = table.with([fetched(14, { USD: '1.3' })])
    expect([textAt(table, 'EUR', 14), textAt(next, 'EUR', 14), textAt(next, 'TRY', 14)]).toEqual([
      '14 1.2',
      '14 1.3',
      '12 0.03',
    ])
  })

  test('a report in another currency takes the rate of the day that an amount belongs to', () => {
    expect([table.convertUsd(1_100_000, 'EUR', 13), table.convertUsd(1_100_000, 'EUR', 14)]).toEqual([
      1_000_000, 916_667,
    ])
    expect([table.convertUsd(-1_100_000, 'EUR', 14), table.convertUsd(5, 'USD', 1)]).toEqual([-916_667, 5])
    expect([table.convertUsd(5, 'EUR', 9), table.convertUsd(5, 'XXX', 9)]).toEqual([null, null])
  })
})

describe('several sources', () => {
  const table = RateTable.EMPTY.with([
    fetched(10, { USD: '1.1', JPY: '160' }),
    fetched(11, { USD: '1.2', JPY: '170', RUB: '70' }),
    fetched(12, { USD: '1.3' }),
    loaded(10, { JPY: '0.5' }),
    loaded(12, { AED: '0.25', JPY: '1.1/162.03' }),
  ])
  const cases: [currency: string, day: number, found: string | null][] = [
    ['JPY', 10, '10 0.5'],
    ['JPY', 11, '11 1.2/170'],
    ['JPY', 12, '12 1.1/162.03'],
    ['EUR', 12, '12 1.3'],
    ['AED', 11, null],
    ['AED', 13, '12 0.25'],
    ['RUB', 10, null],
    ['RUB', 99, '11 1.2/70'],
  ]
  for (const [currency, number, found] of cases)
    test(`${currency} on day ${number}: ${found ?? 'none'}`, () => {
      expect(textAt(table, currency, number)).toBe(found)
    })

  test('spans and currencies', () => {
    expect(table.currencies).toEqual(['AED', 'EUR', 'JPY', 'RUB'])
    expect(['JPY', 'RUB', 'AED', 'XXX'].map((currency) => table.span(currency))).toEqual([
      { first: 10, last: 12 },
      { first: 11, last: 11 },
      { first: 12, last: 12 },
      null,
    ])
  })

  test('a day that cannot be read is passed over, and never gives a wrong rate', () => {
    const broken = table.with([
      { source: 'ECB', day: 13, rates: '{"USD":"1.3","JPY":"-1"}' },
      { source: 'LOADED', day: 14, rates: '{"JPY":"1.1/0"' },
    ])
    expect(textAt(broken, 'JPY', 15)).toBe('12 1.1/162.03')
  })
})

const storedDays = fc.array(
  fc.record({
    source: fc.constantFrom('ECB' as const, 'LOADED' as const),
    day: fc.integer({ min: 0, max: 30 }),
    TRY: fc.integer({ min: 1, max: 999 }),
    hasYen: fc.boolean(),
  }),
  { maxLength: 60 },
)

test('law: the nearest earlier day decides, a loaded rate wins on its day, and parts make the same table', () => {
  fc.assert(
    fc.property(storedDays, fc.integer({ min: 1, max: 20 }), (written, size) => {
      const all = written.map(({ source, day: number, TRY, hasYen }) => {
        const rates = { USD: '1', ...(hasYen && { JPY: '7' }), TRY: String(TRY) }
        return source === 'ECB' ? fetched(number, rates) : loaded(number, rates)
      })
      let table = RateTable.EMPTY
      for (let start = 0; start < all.length; start += size) table = table.with(all.slice(start, start + size))
      for (const currency of ['TRY', 'JPY'])
        for (let number = 0; number <= 31; number++) {
          const newest = new Map(all.map((one) => [`${one.source} ${one.day}`, one]))
          const named = [...newest.values()].filter((one) => one.day <= number && one.rates.includes(currency))
          const latest = Math.max(...named.map((one) => one.day))
          const ofDay = named.filter((one) => one.day === latest)
          const wins = ofDay.find(({ source }) => source === 'LOADED') ?? ofDay[0]
          const own = wins && (JSON.parse(wins.rates) as Record<string, string>)[currency]
          const text =
            own === undefined ? null : `${latest} ${wins?.source === 'ECB' && own !== '1' ? `1/${own}` : own}`
          expect(textAt(table, currency, number)).toBe(text)
        }
    }),
  )
})

describe('days', () => {
  test('weekdays are Monday to Friday', () => {
    const week = Array.from({ length: 7 }, (_, index) => day('2026-11-16') + index)
    expect(week.map(isWeekday)).toEqual([true, true, true, true, true, false, false])
    expect([isWeekday(day('1999-01-04')), isWeekday(day('2000-02-29')), isWeekday(day('2000-01-01'))]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('the last instant of a day belongs to it', () => {
    expect(
      [at('2026-11-20T23:59:59.999Z'), at('2026-11-21T00:00:00Z')].map((instant) => toDate(dayOf(instant))),
    ).toEqual(['2026-11-20', '2026-11-21'])
    for (const text of ['2026-11-31', '2025-02-29', '26-11-20', '2026-11-20T00:00:00Z', ''])
      expect(readDate(text)).toBeNull()
  })

  test('weekdays between Friday and Monday: none', () => {
    expect([
      weekdaysBetween(day('2026-11-13'), day('2026-11-16')),
      weekdaysBetween(day('2026-11-12'), day('2026-11-17')),
    ]).toEqual([0, 2])
  })
})

describe('when rates are fetched', () => {
  const due: [
    name: string,
    now: string,
    newest: string | null,
    last: [string, string | null] | null,
    isDue: boolean,
  ][] = [
    ['at the first start', '2026-11-20T03:00:00Z', null, null, true],
    ['before the day is published', '2026-11-20T15:29:00Z', '2026-11-19', null, false],
    ['after it is published', '2026-11-20T15:30:00Z', '2026-11-19', null, true],
    ['not again', '2026-11-20T18:00:00Z', '2026-11-20', null, false],
    ['not at the weekend', '2026-11-22T18:00:00Z', '2026-11-20', null, false],
    ['not on Monday morning', '2026-11-23T08:00:00Z', '2026-11-20', null, false],
    ['at once after an outage', '2026-11-23T08:00:00Z', '2026-11-19', null, true],
    ['an hour after a failure', '2026-11-20T16:42:00Z', '2026-11-19', ['2026-11-20T15:42:00Z', 'away'], true],
    [
      'not an hour after a holiday was seen',
      '2026-11-20T16:42:00Z',
      '2026-11-19',
      ['2026-11-20T15:42:00Z', null],
      false,
    ],
    ['but later that day', '2026-11-20T20:42:00Z', '2026-11-19', ['2026-11-20T15:42:00Z', null], true],
    ['after the clock was set back', '2026-11-20T16:00:00Z', '2026-11-19', ['2027-11-20T15:42:00Z', null], true],
  ]
  for (const [name, now, newest, last, expected] of due)
    test(name, () => {
      const fetched = last && { triedAt: at(last[0]), fault: last[1] }
      expect(isDue(at(now), newest === null ? null : day(newest), fetched)).toBe(expected)
    })

  const files: [newest: string | null, kind: string][] = [
    [null, 'hist'],
    ['2026-11-19', 'daily'],
    ['2026-11-18', 'hist-90d'],
    ['2026-09-01', 'hist-90d'],
    ['2026-08-31', 'hist'],
    ['2019-01-01', 'hist'],
  ]
  for (const [newest, kind] of files)
    test(`with the newest of ${newest}: ${kind}`, () => {
      expect(fileFor(at('2026-11-20T16:00:00Z'), newest === null ? null : day(newest))).toBe(kind as 'hist')
    })

  test('from Friday to Monday the daily file is enough', () => {
    expect(fileFor(at('2026-11-23T16:00:00Z'), day('2026-11-20'))).toBe('daily')
    expect(fileFor(at('2026-11-24T16:00:00Z'), day('2026-11-20'))).toBe('hist-90d')
  })

  test('law: no weekday is ever missed: the daily file is taken only when no weekday lies between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 23 }), (days, hours) => {
        const now = at('2026-11-20T00:00:00Z') + hours * HOUR
        const newest = dayOf(now) - days
        const missed = weekdaysBetween(newest, dayOf(now))
        if (fileFor(now, newest) === 'daily') expect(missed).toBe(0)
        expect(expectedDay(now) <= dayOf(now) && isWeekday(expectedDay(now))).toBe(true)
      }),
    )
  })

  test('stale: 72 hours after the end of the day of the newest rate', () => {
    const friday = day('2026-11-20')
    expect(isStale(at('2026-11-23T16:00:00Z'), friday)).toBe(false)
    expect(isStale(at('2026-11-24T00:00:00Z'), friday)).toBe(false)
    expect(isStale(at('2026-11-24T00:00:00.001Z'), friday)).toBe(true)
  })
})

test('a gap is more than two weekdays without rates: weekends and holidays are none', () => {
  const days = ['2026-04-02', '2026-04-07', '2026-04-08', '2026-04-14', '2026-04-15'].map(day)
  expect(gapsOf(days)).toEqual([{ after: '2026-04-08', before: '2026-04-14', weekdays: 3 }])
  expect(gapsOf([])).toEqual([])
})
