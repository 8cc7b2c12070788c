import { expect, test } from 'bun:test'
import { countryCode } from './countries'

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
