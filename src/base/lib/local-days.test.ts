import { expect, test } from 'bun:test'
import { dayReader, startOfDay, weekdayOf } from './local-days'

const iso = (instant: number): string => new Date(instant).toISOString()
const start = (timezone: string, year: number, month: number, day: number): string =>
  iso(startOfDay(dayReader(timezone), { year, month, day }))

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
    const read = dayReader(timezone)
    for (let day = 1; day <= 366; day++) {
      const from = startOfDay(read, { year: 2026, month: 1, day })
      const wanted = new Date(Date.UTC(2026, 0, day))
      expect([timezone, read(from)]).toEqual([
        timezone,
        { year: wanted.getUTCFullYear(), month: wanted.getUTCMonth() + 1, day: wanted.getUTCDate() },
      ])
      expect(read(from - 1)).not.toEqual(read(from))
    }
  }
})

test('weekdays count from Monday', () => {
  expect([20, 21, 22, 23].map((day) => weekdayOf({ year: 2026, month: 11, day }))).toEqual([5, 6, 7, 1])
  expect(weekdayOf({ year: 1969, month: 12, day: 31 })).toBe(3)
})
