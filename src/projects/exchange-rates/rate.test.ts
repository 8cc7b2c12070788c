import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readDecimal, writeDecimal } from './decimal'
import { dividedBy, PAR, type Rate, readRate, times, writeRate } from './rate'

describe('decimal numbers', () => {
  const read: [text: string, shortest: string | null][] = [
    ['1', '1'],
    ['1.50', '1.5'],
    ['01.0852', '1.0852'],
    ['0.000000987654321', '0.000000987654321'],
    ['123456789012345', '123456789012345'],
    ['0.1', '0.1'],
    ['100', '100'],
    ['0', null],
    ['0.000', null],
    ['', null],
    ['-1', null],
    ['+1', null],
    ['1.', null],
    ['.5', null],
    ['1,5', null],
    ['1e3', null],
    ['0x1', null],
    [' 1', null],
    ['1 ', null],
    ['NaN', null],
    ['Infinity', null],
    ['N/A', null],
    ['١', null],
    ['1234567890123456', null],
    ['1.123456789012345', null],
    ['0.0000000000000000001', null],
  ]
  for (const [text, shortest] of read)
    test(`"${text}" is ${shortest ?? 'refused'}`, () => {
      const decimal = readDecimal(text)
      expect(decimal && writeDecimal(decimal)).toBe(shortest)
    })
})

test('a rate is written and read without loss', () => {
  for (const text of ['0.029', '1.0852/162.03', '3.2541']) expect(writeRate(readRate(text) ?? PAR)).toBe(text)
  for (const text of ['', '1/', '/1', '1/0', '0/1', '1/2/3', '1/-2']) expect(readRate(text)).toBeNull()
})

const half: Rate = readRate('0.5') ?? PAR
const rounded: [micros: number, usdMicros: number][] = [
  [1, 1],
  [-1, -1],
  [3, 2],
  [-3, -2],
  [2, 1],
  [0, 0],
]
for (const [micros, usdMicros] of rounded)
  test(`half of ${micros} is ${usdMicros}: halves are rounded away from zero`, () => {
    expect(times(micros, half)).toBe(usdMicros)
  })

test('zero is never negative zero', () => {
  expect(Object.is(times(-0, half), 0)).toBe(true)
  expect(Object.is(times(-1, readRate('0.1') ?? PAR), 0)).toBe(true)
})

test('no integer that a number holds exactly: no amount', () => {
  expect(times(Number.MAX_SAFE_INTEGER, readRate('1.1') ?? PAR)).toBeNull()
  expect(dividedBy(Number.MAX_SAFE_INTEGER, half)).toBeNull()
  expect(times(Number.MAX_SAFE_INTEGER, PAR)).toBe(Number.MAX_SAFE_INTEGER)
})

const decimal = fc
  .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([mantissa, decimals]) => ({ mantissa, decimals }))
const rate = fc.record({ dividend: decimal, divisor: decimal })
const micros = fc.integer({ min: -10_000_000_000, max: 10_000_000_000 })

test('law: the sign of an amount changes only the sign of the result', () => {
  fc.assert(
    fc.property(micros, rate, (amount, by) => {
      const [there, back] = [times(amount, by), times(-amount, by)]
      expect(back).toBe(there === null || there === 0 ? there : -there)
    }),
  )
})

test('law: a larger amount is never worth less', () => {
  fc.assert(
    fc.property(micros, micros, rate, (a, b, by) => {
      const [less, more] = [times(Math.min(a, b), by), times(Math.max(a, b), by)]
      if (less !== null && more !== null) expect(less).toBeLessThanOrEqual(more)
    }),
  )
})

test('law: the result is within half a millionth of the exact product', () => {
  fc.assert(
    fc.property(micros, rate, (amount, by) => {
      const result = times(amount, by)
      if (result === null) return
      const { dividend, divisor } = by
      const above = BigInt(amount) * BigInt(dividend.mantissa) * 10n ** BigInt(divisor.decimals)
      const below = BigInt(divisor.mantissa) * 10n ** BigInt(dividend.decimals)
      const off = 2n * (BigInt(result) * below - above)
      expect(off <= below && off >= -below).toBe(true)
    }),
  )
})

test('law: dollars and back again differ by what rounding to a millionth of a dollar can take', () => {
  fc.assert(
    fc.property(micros, rate, (amount, by) => {
      const usd = times(amount, by)
      const back = usd === null ? null : dividedBy(usd, by)
      if (back === null) return
      const perMicro = (by.divisor.mantissa / by.dividend.mantissa) * 10 ** (by.dividend.decimals - by.divisor.decimals)
      expect(Math.abs(back - amount)).toBeLessThanOrEqual(perMicro / 2 + 1)
    }),
  )
})
