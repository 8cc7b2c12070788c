import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toDecimal, toDecimalOrNull } from './money'

const cases: [micros: number, text: string][] = [
  [0, '0'],
  [1, '0.000001'],
  [9_990_000, '9.99'],
  [-9_990_000, '-9.99'],
  [10_000_000, '10'],
  [2_750_001, '2.750001'],
  [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
]
for (const [micros, text] of cases) test(`${micros} micros are ${text}`, () => expect(toDecimal(micros)).toBe(text))

test('what is not known is null', () =>
  expect([toDecimalOrNull(null), toDecimalOrNull(undefined)]).toEqual([null, null]))

test('the digits give the same micros again', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (micros) => {
      const [whole = '', fraction = ''] = toDecimal(micros).split('.')
      expect(Number(`${whole}${fraction.padEnd(6, '0')}`)).toBe(micros === 0 ? 0 : micros)
    }),
  )
})
