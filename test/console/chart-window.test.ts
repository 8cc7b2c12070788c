import { expect, test } from 'bun:test'
import { daysIn, windowOf } from '../../src/console/parts/chart-window'

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
