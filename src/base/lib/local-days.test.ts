import { expect, test } from 'bun:test'
import { DAY } from './clock'
import { firstOfMonth, firstOfWeek, localDays } from './local-days'

const iso = (instant: number): string => new Date(instant).toISOString()
const numberOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / DAY
const start = (timezone: string, year: number, month: number, day: number): string =>
  iso(localDays(timezone).startOf(numberOf(year, month, day)))

const cases: [fact: string, timezone: string, day: [number, number, number], starts: string][] = [
  ['UTC', 'UTC', [2026, 11, 20], '2026-11-20T00:00:00.000Z'],
  ['east of UTC', 'Europe/Istanbul', [2026, 11, 20], '2026-11-19T21:00:00.000Z'],
  ['west of UTC', 'America/New_York', [2026, 11, 20], '2026-11-20T05:00:00.000Z'],
  ['a half hour', 'Asia/Kolkata', [2026, 11, 20], '2026-11-19T18:30:00.000Z'],
  ['a quarter of an hour', 'Asia/Kathmandu', [2026, 11, 20], '2026-11-19T18:15:00.000Z'],
  ['the day on which clocks go forward', 'Europe/Berlin', [2026, 3, 29], '2026-03-28T23:00:00.000Z'],
  ['the day after it', 'Europe/Berlin', [2026, 3, 30], '2026-03-29T22:00:00.000Z'],
  ['a midnight that is skipped', 'Africa/Cairo', [2026, 4, 24], '2026-04-23T22:00:00.000Z'],
  ['a midnight before which an hour repeats', 'Africa/Cairo', [2026, 10, 30], '2026-10-29T22:00:00.000Z'],
  ['the farthest east', 'Pacific/Kiritimati', [2026, 1, 1], '2025-12-31T10:00:00.000Z'],
  ['the farthest west', 'Pacific/Pago_Pago', [2026, 1, 1], '2026-01-01T11:00:00.000Z'],
  ['a leap day', 'UTC', [2028, 2, 29], '2028-02-29T00:00:00.000Z'],
  ['month 13', 'UTC', [2026, 13, 1], '2027-01-01T00:00:00.000Z'],
  ['day 0', 'UTC', [2026, 3, 0], '2026-02-28T00:00:00.000Z'],
]
for (const [fact, timezone, [year, month, day], starts] of cases)
  test(`the start of a day: ${fact}`, () => expect(start(timezone, year, month, day)).toBe(starts))

test('the first millisecond of a day falls on it, and the one before does not', () => {
  for (const timezone of ['UTC', 'Africa/Cairo', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
    const days = localDays(timezone)
    for (let day = numberOf(2026, 1, 1); day <= numberOf(2027, 1, 1); day++) {
      const from = days.startOf(day)
      expect([timezone, days.dayOf(from), days.dayOf(from - 1)]).toEqual([timezone, day, day - 1])
    }
  }
})

test('weeks begin with Monday', () => {
  for (const day of [17, 20, 23])
    expect(firstOfWeek(numberOf(2026, 11, day))).toBe(numberOf(2026, 11, day < 23 ? 16 : 23))
  expect(firstOfWeek(numberOf(1969, 12, 31))).toBe(numberOf(1969, 12, 29))
})

test('months are counted on across years, from any day', () => {
  expect(firstOfMonth(numberOf(2026, 11, 30))).toBe(numberOf(2026, 11, 1))
  expect(firstOfMonth(numberOf(2026, 11, 30), 1)).toBe(numberOf(2026, 12, 1))
  expect(firstOfMonth(numberOf(2026, 12, 31), 1)).toBe(numberOf(2027, 1, 1))
  expect(firstOfMonth(numberOf(2026, 1, 1), -1)).toBe(numberOf(2025, 12, 1))
})

test('a day some months later that the month does not have is its last one', () => {
  const { plusMonths } = localDays('Europe/Berlin')
  const later = (text: string, months: number) => iso(plusMonths(Date.parse(text), months))
  expect(later('2026-01-31T10:00:00Z', 1)).toBe('2026-02-28T10:00:00.000Z')
  expect(later('2028-01-31T10:00:00Z', 1)).toBe('2028-02-29T10:00:00.000Z')
  expect(later('2026-02-28T10:00:00Z', 1)).toBe('2026-03-28T10:00:00.000Z')
  expect(later('2026-03-15T10:00:00Z', 1)).toBe('2026-04-15T09:00:00.000Z')
})
