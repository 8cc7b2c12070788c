import { expect, test } from 'bun:test'
import { readNumber } from '../../src/console/kit/read-number'
import { fractionOf, percentOf } from '../../src/console/screens/growth/percent'

const read: [text: string, number: number | null][] = [
  ['0.05', 0.05],
  ['0,05', 0.05],
  ['-1.5', -1.5],
  ['.5', 0.5],
  ['33.', 33],
  ['1e3', 1000],
  [' 7 ', 7],
  ['', null],
  ['-', null],
  ['.', null],
  ['1,000', null],
  ['1.000,5', null],
  ['0x10', null],
  ['Infinity', null],
  ['1e999', null],
]
for (const [text, number] of read)
  test(`"${text}" is ${number === null ? 'no number' : `the number ${number}`}`, () =>
    expect(readNumber(text, { isWhole: false })).toBe(number))

test('a number outside of its bounds, or with decimals where a whole one is needed, is not taken', () => {
  expect(readNumber('101', { min: 0, max: 100, isWhole: false })).toBeNull()
  expect(readNumber('-1', { min: 0, max: 100, isWhole: false })).toBeNull()
  expect(readNumber('1.5', { isWhole: true })).toBeNull()
  expect(readNumber('15', { isWhole: true })).toBe(15)
})

test('a share is the same share after it was shown and typed again', () => {
  for (const fraction of [0, 0.0005, 0.07, 0.29, 1 / 3, 0.333333, 0.57, 1])
    expect(fractionOf(percentOf(fraction))).toBeCloseTo(fraction, 12)
  expect(percentOf(0.07)).toBe(7)
  expect(fractionOf(0.05)).toBe(0.0005)
})
