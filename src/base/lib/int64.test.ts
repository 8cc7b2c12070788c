import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  digitsOf,
  fromJsonInteger,
  isJsonInteger,
  MAX_INT64,
  parseExact,
  readInt64,
  sumOf,
  toJsonInteger,
} from './int64'

const read: [text: string, value: bigint | null][] = [
  ['0', 0n],
  ['-0', 0n],
  ['-0.000e99', 0n],
  ['5', 5n],
  ['1e3', 1000n],
  ['1E+3', 1000n],
  ['1.50e1', 15n],
  ['1.50e0', null],
  ['120e-1', 12n],
  ['121e-1', null],
  ['00012', 12n],
  ['9007199254740993', 9007199254740993n],
  ['9223372036854775807', MAX_INT64],
  ['-9223372036854775807', -MAX_INT64],
  ['9223372036854775808', null],
  ['-9223372036854775808', null],
  ['9.223372036854775807e18', MAX_INT64],
  ['1e18', 10n ** 18n],
  ['1e19', null],
  ['1e400', null],
  ['1e-400', null],
  [`1${'0'.repeat(1000)}e-1000`, 1n],
  [`0.${'0'.repeat(1000)}1e1001`, 1n],
  [`1e${'9'.repeat(1000)}`, null],
  [`1e-${'9'.repeat(1000)}`, null],
  [`0e${'9'.repeat(1000)}`, 0n],
  ['', null],
  ['x', null],
  ['1.', null],
  ['0x10', null],
  ['1 ', null],
]
for (const [text, value] of read)
  test(`${text.slice(0, 30)} is ${value === null ? 'no integer of 64 bits' : value}`, () => {
    expect(readInt64(text)).toBe(value)
  })

test('a million digits are refused at once', () => {
  for (const text of ['9'.repeat(1e6), `1${'0'.repeat(1e6)}`, `0.${'0'.repeat(1e6)}1`, `${'0'.repeat(1e6)}.5`])
    expect(readInt64(text)).toBeNull()
})

const any64 = fc.bigInt({ min: -MAX_INT64, max: MAX_INT64 })

test('every spelling of an integer is that integer', () => {
  const property = fc.property(any64, fc.integer({ min: 0, max: 40 }), (value, places) => {
    const zeros = '0'.repeat(places)
    const [first = '', ...rest] = String(value < 0n ? -value : value)
    const scientific = `${value < 0n ? '-' : ''}${first}.${rest.join('')}0e${rest.length}`
    for (const text of [`${value}`, `${value}.${zeros}0`, `${value}${zeros}e-${places}`, scientific])
      expect(readInt64(text)).toBe(value)
    expect(readInt64(`${value}${zeros}5e-${places + 1}`)).toBeNull()
  })
  fc.assert(property)
})

test('an integer of JSON goes there and back, and is written with its digits', () => {
  const property = fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (value) => {
    const member = toJsonInteger(value)
    expect([isJsonInteger(member), fromJsonInteger(member)]).toEqual([true, value])
    const text = JSON.stringify({ list: [member], member })
    expect(text).toBe(`{"list":[${value}],"member":${value}}`)
    expect(JSON.stringify(parseExact(text))).toBe(text)
  })
  fc.assert(property)
})

test('a small integer of JSON is an ordinary number', () => {
  expect([toJsonInteger(42n), toJsonInteger(2n ** 53n - 1n)]).toEqual([42, Number.MAX_SAFE_INTEGER])
})

test('what is no integer of JSON', () => {
  for (const value of [1.5, 2 ** 53, '5', null, { rawJSON: '5' }, JSON.rawJSON('1.5'), JSON.rawJSON('"5"')])
    expect(isJsonInteger(value)).toBe(false)
})

test('sums are exact beyond 64 bits', () => {
  expect(sumOf({})).toBe(0n)
  expect(sumOf({ a: toJsonInteger(MAX_INT64), b: toJsonInteger(MAX_INT64), c: -1 })).toBe(2n ** 64n - 3n)
})

describe('parsing JSON', () => {
  test('is that of the language when no integer is long', () => {
    const property = fc.property(
      fc.json().filter((text) => !/\d{16}/.test(text)),
      (text) => expect(parseExact(text)).toEqual(JSON.parse(text)),
    )
    fc.assert(property)
  })

  test('keeps fractions, exponents and long texts as they are', () => {
    const text = '{"a":1234567890123456.5,"b":1e30,"c":"1234567890123456789","d":{"e":[-0]}}'
    expect(parseExact(text)).toEqual(JSON.parse(text))
  })

  test('keeps the digits wherever an integer stands', () => {
    const text = '[9007199254740993,{"a":-9007199254740993,"b":[9223372036854775807]}]'
    expect(JSON.stringify(parseExact(text.replaceAll(',', ' , ').replaceAll(':', ': ')))).toBe(text)
  })
})

describe('the digits of a member', () => {
  const cases: [json: string, digits: string | null][] = [
    ['{"amount":1e3}', '1e3'],
    ['{"amount": 9007199254740993 ,"other":1}', '9007199254740993'],
    ['{"amount":1,"amount":2.50}', '2.50'],
    ['{"inner":{"amount":1}}', null],
    ['{"amount":"1"}', null],
    ['{"amount":{"amount":1}}', null],
    ['{}', null],
  ]
  for (const [json, digits] of cases) test(`${json} is ${digits}`, () => expect(digitsOf(json, 'amount')).toBe(digits))
})
