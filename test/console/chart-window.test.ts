import { expect, test } from 'bun:test'
import { daysIn, windowOf, windowYearBefore } from '../../src/console/parts/chart-window'

const days = (query: string) => daysIn(new URLSearchParams(query))

test('days of an address that are none are left out, and the earlier one comes first', () => {
  expect(days('from=2026-11-10&to=2026-11-20')).toEqual({ from: '2026-11-10', to: '2026-11-20' })
  expect(days('from=2026-11-20&to=2026-11-10')).toEqual({ from: '2026-11-10', to: '2026-11-20' })
  expect(days('from=banana&to=2026-13-40')).toEqual({})
  expect(days('from=2026-11-10T00:00Z')).toEqual({})
  expect(days('to=2026-11-10')).toEqual({ to: '2026-11-10' })
})

test('two dates are a window with the last day in it', () => {
  expect(windowOf('custom', '2026-11-24', days('from=2026-11-20&to=2026-11-10'))).toEqual({
    from: '2026-11-10',
    to: '2026-11-21',
  })
  expect(windowOf('custom', '2026-11-24', days('from=banana'))).toEqual({ from: '2026-10-26' })
})

test('last month and last year are whole', () => {
  expect(windowOf('lastMonth', '2026-01-31', {})).toEqual({ from: '2025-12-01', to: '2026-01-01' })
  expect(windowOf('lastYear', '2026-03-01', {})).toEqual({ from: '2025-01-01', to: '2026-01-01' })
})

test('a year before is the same part of that year, of weeks the same weeks', () => {
  const leapDay = Date.UTC(2028, 1, 29, 12)
  expect(windowYearBefore({ from: '2028-02-01' }, 'day', leapDay)).toEqual({
    from: '2027-02-01',
    to: '2027-02-28T12:00:00.000Z',
  })
  expect(windowYearBefore({ from: '2026-11-02', to: '2026-11-30' }, 'week', leapDay)).toEqual({
    from: '2025-11-03',
    to: '2025-12-01',
  })
})
