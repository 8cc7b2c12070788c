import { expect, test } from 'bun:test'
import { tipText } from '../../src/console/kit/charts/tip-text'

test('what is spoken of a cell is what the pointer shows', () => {
  const props = {
    label: 'Revenue',
    cells: [
      { tick: '1 Nov', title: 'Sun, 1 Nov 2026' },
      { tick: '2 Nov', title: 'Mon, 2 Nov 2026' },
    ],
    series: [{ key: 'net', name: 'Net', kind: 'line' as const, color: 'ink' as const, values: [5, null] }],
    before: { name: 'Period before', values: [4, null] },
    notes: [{ cell: 0, text: 'Release 4.2' }],
    running: 1,
    runningText: 'so far',
    format: (value: number) => `$${value}`,
    formatTick: String,
  }
  expect(tipText({ ...props, cell: 0 })).toBe('Sun, 1 Nov 2026, Net $5, Period before $4, Release 4.2')
  expect(tipText({ ...props, cell: 1 })).toBe('Mon, 2 Nov 2026 so far, Net —')
})
