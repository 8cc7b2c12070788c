import { expect, test } from 'bun:test'
import { laterWall, readWall, wallText } from '../../src/console/lib/date-text'

const LOCALES = ['en', 'de', 'ja', 'tr']
const readingOf = (locale: string) => ({ locale, zone: 'Europe/Istanbul' })

for (const locale of LOCALES)
  test(`every day and time that is shown in "${locale}" is read as the same`, () => {
    for (let day = '2024-01-01'; day < '2025-03-02'; day = laterWall(day, { days: 1 })) {
      expect(readWall(readingOf(locale), wallText(readingOf(locale), day), false)).toBe(day)
      const wall = `${day}T07:05`
      expect(readWall(readingOf(locale), wallText(readingOf(locale), wall), true)).toBe(wall)
    }
  })

const days: [locale: string, text: string, day: string | null][] = [
  ['en', '22 Nov 2026', '2026-11-22'],
  ['en', '22 november 2026', '2026-11-22'],
  ['en', 'Nov 22, 2026', '2026-11-22'],
  ['en', '3 Sept 2026', '2026-09-03'],
  ['en', '3 Sep 2026', '2026-09-03'],
  ['en', '2026-11-22', '2026-11-22'],
  ['en', '3/4/2026', '2026-04-03'],
  ['en', '3.4.26', '2026-04-03'],
  ['de', '22.11.2026', '2026-11-22'],
  ['de', '3. März 2026', '2026-03-03'],
  ['tr', '1 Kasım 2026', '2026-11-01'],
  ['tr', '1 KASIM 2026', '2026-11-01'],
  ['tr', '1 Nov 2026', '2026-11-01'],
  ['ja', '2026年11月22日', '2026-11-22'],
  ['ja', '２０２６/１１/２２', '2026-11-22'],
  ['en', '29 Feb 2028', '2028-02-29'],
  ['en', '30 Feb 2028', null],
  ['en', '29 Feb 2026', null],
  ['en', '0 Nov 2026', null],
  ['en', '22 Nov', null],
  ['en', '22 Nov 2026 09:30', null],
  ['en', '11/22/2026', null],
  ['en', '22 Foo 2026', null],
  ['en', '22 1 226', null],
  ['en', '1e1 Nov 2026', null],
  ['en', 'Nov', null],
  ['en', '-', null],
]
for (const [locale, text, day] of days)
  test(`"${text}" in "${locale}" is ${day ?? 'no day'}`, () =>
    expect(readWall(readingOf(locale), text, false)).toBe(day))

const walls: [text: string, wall: string | null][] = [
  ['22 Nov 2026, 9:30', '2026-11-22T09:30'],
  ['22 Nov 2026 09:30', '2026-11-22T09:30'],
  ['22.11.2026 23.59', '2026-11-22T23:59'],
  ['2026-11-22T09:30', '2026-11-22T09:30'],
  ['2026-11-22T09:30:00.000', '2026-11-22T09:30'],
  ['22 Nov 2026', null],
  ['22 Nov 2026, 24:00', null],
  ['22 Nov 2026, 09:60', null],
  ['09:30', null],
  ['22.11.2026', null],
]
for (const [text, wall] of walls)
  test(`"${text}" with a time is ${wall ?? 'none'}`, () => expect(readWall(readingOf('en'), text, true)).toBe(wall))

test('a day moves over the ends of months and years, and keeps its time', () => {
  expect(laterWall('2026-12-31T09:30', { days: 1 })).toBe('2027-01-01T09:30')
  expect(laterWall('2026-01-31', { months: 1 })).toBe('2026-02-28')
  expect(laterWall('2026-03-31', { months: -1 })).toBe('2026-02-28')
  expect(laterWall('2026-01-01', { days: -1 })).toBe('2025-12-31')
})

test('what is no day is shown as nothing', () => {
  for (const text of ['', 'x', '2026-02-30', '2026-13-01']) expect(wallText(readingOf('en'), text)).toBe('')
})
