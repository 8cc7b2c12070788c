import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { faultOfDate, isNothing, ruinOfId } from './ids'

describe('a word for nothing', () => {
  const words = [
    'NULL',
    'null',
    'nan',
    'NaN',
    '#N/A',
    '#n/a',
    '\\N',
    '\\n',
    'None',
    'NONE',
    '-',
    'N/A',
    '<NA>',
    '(null)',
  ]
  test.each(words)('%s is no id', (text) => expect(isNothing(text)).toBe(true))

  const ids = ['nobody', 'Nancy', '--', '0', 'null@example.com', 'none_1', 'undefined', 'N', '#', 'NULLA']
  test.each(ids)('%s may be an id', (text) => expect(isNothing(text)).toBe(false))
})

describe('an id of which a spreadsheet made something else', () => {
  const ruined: [text: string, says: RegExp][] = [
    ...['2.00000E+15', '2E+15', '1.23E+05', '1,23E+05', '2e+15', '3.5e-07', '2.00000E15', '-1.2E+10'].map(
      (text): [string, RegExp] => [text, /shortened/],
    ),
    ...['2000000123456789.0', '42.0', '42,00'].map((text): [string, RegExp] => [text, /decimals/]),
    ...['#NAME?', '#REF!', '#value!', '#DIV/0!', '#NUM!', '########'].map((text): [string, RegExp] => [text, /error/]),
  ]
  test.each(ruined)('%s', (text, says) => expect(ruinOfId(text) ?? '').toMatch(says))

  const whole = ['2000000123456789', 'GPA.1234-5678-9012-34567..0', '7e12', '12e5', 'E+15', '2.00000E+15x', '1.0.0']
  const more = ['1.5', 'sub_1E+05', '#1', '+491701234567', '1e+5@example.com', 'com.example.pro', '10.0.0.1', 'a1.0']
  test.each([...whole, ...more])('%s is one', (text) => expect(ruinOfId(text)).toBeNull())

  test('law: what a spreadsheet writes for a long number is never an id', () => {
    const property = fc.property(
      fc.integer({ min: 11, max: 30 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 8 }),
      fc.constantFrom('.', ','),
      (exponent, first, decimals, mark) => {
        const number = (first * 10 ** exponent).toExponential(decimals)
        const text = number.toUpperCase().replace('.', mark)
        expect([text, ruinOfId(text) === null]).toEqual([text, false])
        expect([number, ruinOfId(number) === null]).toEqual([number, false])
      },
    )
    fc.assert(property, { seed: 5, numRuns: 500 })
  })

  test('law: digits and letters alone are never refused', () => {
    const property = fc.property(fc.stringMatching(/^[A-Za-z0-9]{1,40}$/), (id) => {
      if (!/^(null|nan|none|nil)$/i.test(id)) expect([id, isNothing(id), ruinOfId(id)]).toEqual([id, false, null])
    })
    fc.assert(property, { seed: 5, numRuns: 2000 })
  })
})

test('a date that is a number says what it is', () => {
  for (const text of ['45231', '45231.5', '45231,33333']) expect(faultOfDate(text)).toMatch(/number of a day/)
  expect(faultOfDate('1.79E+12')).toMatch(/shortened/)
  for (const text of ['31.12.2026', '20261120', '4523', 'NULL']) expect(faultOfDate(text)).toMatch(/known form/)
})
