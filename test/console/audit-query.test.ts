import { expect, test } from 'bun:test'
import { filtersOf } from '../../src/console/parts/audit-query'

const queryOf = (text: string, zone: string) => filtersOf(new URLSearchParams(text), zone)

const cases: [zone: string, from: string, to: string][] = [
  ['UTC', '2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-23T15:00:00.000Z', '2026-11-24T15:00:00.000Z'],
  ['America/New_York', '2026-11-24T05:00:00.000Z', '2026-11-25T05:00:00.000Z'],
]
for (const [zone, from, to] of cases)
  test(`a day of ${zone} is the whole day there`, () =>
    expect(queryOf('from=2026-11-24&to=2026-11-24', zone)).toEqual({ from, to }))

test('the day on which the clocks go back has 25 hours', () =>
  expect(queryOf('from=2026-10-25&to=2026-10-25', 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  }))

test('what is no day, and what is empty, is no filter', () =>
  expect(queryOf('from=2026-13-45&to=tomorrow&actor=%20&action=flag&other=1', 'UTC')).toEqual({ action: 'flag' }))
