import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Calendar } from './calendar'
import { DAY_MS, isoOf } from './history'
import { EARLIEST, ZONES } from './projects'

const later = (zone: string, from: string, months: number): string =>
  isoOf(new Calendar(zone).plusMonths(Date.parse(from), months))

const days = (zone: string, from: string, to: string): string[] =>
  new Calendar(zone).cells({ start: Date.parse(from), end: Date.parse(to) }, 'day').map(({ start }) => isoOf(start))

describe('months later', () => {
  const cases: [name: string, zone: string, from: string, months: number, to: string][] = [
    ['none is the instant itself', 'UTC', '2024-01-31T10:00:00.000Z', 0, '2024-01-31T10:00:00.000Z'],
    ['the last day of a leap February', 'UTC', '2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['the day comes back after a short month', 'UTC', '2024-01-31T10:00:00.000Z', 2, '2024-03-31T10:00:00.000Z'],
    ['over the end of a year', 'UTC', '2024-11-30T10:00:00.007Z', 3, '2025-02-28T10:00:00.007Z'],
    ['the local day counts', 'Asia/Kolkata', '2024-01-31T20:00:00.000Z', 1, '2024-02-29T20:00:00.000Z'],
    ['the local time stays', 'Europe/Berlin', '2024-03-15T11:00:00.000Z', 1, '2024-04-15T10:00:00.000Z'],
    ['a time left out is an hour later', 'America/New_York', '2026-02-08T07:30:00.000Z', 1, '2026-03-08T07:30:00.000Z'],
    ['of two times the first', 'America/New_York', '2026-10-01T05:30:00.000Z', 1, '2026-11-01T05:30:00.000Z'],
  ]
  for (const [name, zone, from, months, to] of cases) test(name, () => expect(later(zone, from, months)).toBe(to))
})

describe('days', () => {
  test('of a zone of three quarters', () => {
    expect(days('Asia/Kathmandu', '2024-02-28T18:15:00.000Z', '2024-03-01T18:15:00.000Z')).toEqual([
      '2024-02-28T18:15:00.000Z',
      '2024-02-29T18:15:00.000Z',
    ])
  })

  test('a date begins and ends with its day', () => {
    const calendar = new Calendar('America/New_York')
    expect(isoOf(calendar.startOfDate('2026-03-08'))).toBe('2026-03-08T05:00:00.000Z')
    expect(isoOf(calendar.endOfDate('2026-03-08'))).toBe('2026-03-09T04:00:00.000Z')
  })

  test('a day that a zone left out has no cell', () => {
    expect(days('Pacific/Apia', '2011-12-29T10:00:00.000Z', '2011-12-31T10:00:00.000Z')).toEqual([
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
    ])
  })

  test('a cell begins with the first instant of its day, week or month, and the cells fill the window', () => {
    const anyDay = fc.integer({ min: 0, max: 900 * DAY_MS })
    const grain = fc.constantFrom('day', 'week', 'month')
    const law = fc.property(fc.constantFrom(...ZONES), anyDay, fc.nat(80 * DAY_MS), grain, (zone, from, length, by) => {
      const calendar = new Calendar(zone)
      const window = { start: EARLIEST + from, end: EARLIEST + from + length + 1 }
      const cells = calendar.cells(window, by)
      expect(cells.map(({ start }) => start)).toEqual([window.start, ...cells.slice(0, -1).map(({ end }) => end)])
      expect(cells.at(-1)?.end).toBe(window.end)
      for (const { start } of cells.slice(1)) {
        const [before, first] = [calendar.dayNumber(start - 1), calendar.dayNumber(start)]
        const date = new Date(first * DAY_MS)
        expect(first).toBe(before + 1)
        expect(by === 'week' ? date.getUTCDay() : by === 'month' ? date.getUTCDate() : 1).toBe(1)
      }
    })
    fc.assert(law, { numRuns: 150 })
  })
})
