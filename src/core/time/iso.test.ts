import { expect, test } from 'bun:test'
import { parseIso, parseQueryIso } from './iso'

const EIGHT = Date.UTC(2026, 10, 20, 8)

test.each(['2026-11-20T08:00:00Z', '2026-11-20T09:00:00+01:00', '2026-11-20T02:30:00-05:30'])('%s', (text) => {
  expect(parseIso(text)).toBe(EIGHT)
  expect(parseQueryIso(text)).toBe(EIGHT)
})

test('a query may hold a plus sign that was not escaped', () => {
  expect(parseQueryIso('2026-11-20T09:00:00 01:00')).toBe(EIGHT)
  expect(parseIso('2026-11-20T09:00:00 01:00')).toBeNull()
})

test.each(['', '2026', '2026-11-20', '2026-11-20 08:00:00Z', '2026-02-31T08:00:00Z', '2026-11-20T08:00:00'])(
  '"%s" is no time with a zone',
  (text) => expect(parseQueryIso(text)).toBeNull(),
)
