import { expect, test } from 'bun:test'
import { fold } from './folding'
import { readDuration, readInstant } from './instants'
import { compareVersions, readVersion } from './versions'

test('folded texts are equal exactly where the platform finds one in the other without regard to case', () => {
  const cased: string[] = []
  for (let point = 0; point < 0x1ff00; point++) {
    const character = String.fromCodePoint(point)
    if (character.toLowerCase() !== character.toUpperCase()) cased.push(character)
  }
  const byFold = Map.groupBy(cased, fold)
  const wrong = [...byFold].flatMap(([, [first = '', ...others]]) =>
    others.filter((other) => !new RegExp(`^${first}$`, 'iu').test(other)),
  )
  expect(wrong).toEqual([])
  const apart = cased.filter((character) => {
    const forms = [character.toLowerCase(), character.toUpperCase()].filter((form) => [...form].length === 1)
    return forms.some((form) => fold(form) !== fold(character) && new RegExp(`^${form}$`, 'iu').test(character))
  })
  expect(apart).toEqual([])
  expect(cased.length).toBeGreaterThan(2500)
})

/** From the earliest on; those of one line are equal. */
const VERSIONS: string[][] = [
  ['0', '0.0', 'v0.0.0', '00'],
  ['0.9.99'],
  ['1.0.0-0', '1-0'],
  ['1.0.0-2'],
  ['1.0.0-100'],
  ['1.0.0--'],
  ['1.0.0-ALPHA'],
  ['1.0.0-alpha'],
  ['1.0.0-alpha.1', '1.0.0-alpha.01'],
  ['1.0.0-alpha.beta'],
  ['1.0.0-beta'],
  ['1.0.0-beta.2'],
  ['1.0.0-beta.11', 'V1.0-beta.11+exp.sha'],
  ['1.0.0-rc.1'],
  ['1.0.0-rc.1.0'],
  ['1.0.0', '1', '1.0.0.0', '01.00+build-7', '1+'],
  ['1.0.0.1'],
  ['1.0.1'],
  ['1.9'],
  ['1.10'],
  ['2.0.0'],
  ['10'],
  ['123456789012345678901234567890.1'],
]

test('every version stands between those before it and those after it', () => {
  const flat = VERSIONS.flatMap((line, place) => line.map((text) => ({ text, place })))
  const wrong = flat.flatMap((a) =>
    flat.flatMap((b) => {
      const [x, y] = [readVersion(a.text), readVersion(b.text)]
      const order = x && y ? Math.sign(compareVersions(x, y)) : null
      return order === Math.sign(a.place - b.place) ? [] : [`${a.text} ${b.text} ${order}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('other texts are no version', () => {
  const texts = [
    '',
    'v',
    '1.',
    '.1',
    '1..2',
    '1.2.3.4.5',
    '1.x',
    '1-',
    '1-a..b',
    '1-ä',
    ' 1',
    '1 ',
    '-1',
    '1,2',
    '1.2.3-a_b',
  ]
  expect(texts.filter((text) => readVersion(text) !== null)).toEqual([])
})

const INSTANTS: [text: string, iso: string | null][] = [
  ['2026-11-27', '2026-11-27T00:00:00.000Z'],
  ['2026-11-27T08:30', '2026-11-27T08:30:00.000Z'],
  ['2026-11-27 08:30:15', '2026-11-27T08:30:15.000Z'],
  ['2026-11-27t08:30:15.123456z', '2026-11-27T08:30:15.123Z'],
  ['2026-11-27T08:30+02', '2026-11-27T06:30:00.000Z'],
  ['2026-11-27T08:30-0530', '2026-11-27T14:00:00.000Z'],
  ['2026-11-27T08:30:00+05:45', '2026-11-27T02:45:00.000Z'],
  ['0099-12-31', '0099-12-31T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29', null],
  ['2026-11-27T24:00', null],
  ['2026-11-27T08', null],
  ['2026-11', null],
  ['27.11.2026', null],
  ['2026-11-27T08:30+24', null],
  ['20261127', null],
  ['', null],
]

test('dates and times are read with any zone, and without one as UTC', () => {
  const read = INSTANTS.map(([text]) => readInstant(text)).map((at) =>
    at === null ? null : new Date(at).toISOString(),
  )
  expect(read).toEqual(INSTANTS.map(([, iso]) => iso))
})

test('a duration is of whole weeks, days, hours and minutes', () => {
  const minutes = ['P1W', 'P2D', 'PT3H', 'PT90M', 'P1W2DT3H4M', 'P0D'].map(
    (text) => Number(readDuration(text)) / 60_000,
  )
  expect(minutes).toEqual([10_080, 2880, 180, 90, 13_144, 0])
  const others = ['', 'P', 'PT', 'P1', '1D', 'P1M', 'P1Y', 'PT1S', 'P1.5D', 'P-1D', 'P1DT', 'p1d', 'P123456D', 'PT1M1H']
  expect(others.filter((text) => readDuration(text) !== null)).toEqual([])
})
