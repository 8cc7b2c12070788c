import { expect, test } from 'bun:test'
import { countryCode, countryOfLongCode } from './countries'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

test('the 249 countries of ISO 3166-1 have a code, and each is one that the Unicode data name', () => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => countryCode(code))
  expect(codes).toHaveLength(249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(codes.filter((code) => names.of(code) === undefined)).toEqual([])
})

const cases: [text: string, code: string | null][] = [
  ['DE', 'DE'],
  [' tr ', 'TR'],
  ['XX', null],
  ['EU', null],
  ['UK', null],
  ['USA', null],
  ['Germany', null],
  ['', null],
  ['D\u0130', null],
  ['\u00df', null],
]
for (const [text, code] of cases) test(`${JSON.stringify(text)} is ${code}`, () => expect(countryCode(text)).toBe(code))

test('three letters name the same countries, each once', () => {
  const long = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)))
  const found = long.flatMap((code) => countryOfLongCode(code) ?? [])
  expect(found.every((code) => countryCode(code) === code)).toBe(true)
  expect(new Set(found).size).toBe(249)
  expect([found.length, countryOfLongCode('TUR'), countryOfLongCode('TR'), countryOfLongCode('')]).toEqual([
    ...[249, 'TR', null, null],
  ])
})
