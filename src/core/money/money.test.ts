import { expect, test } from 'bun:test'
import { divideHalfAway, fromDecimal, roundHalfAway, toDecimal } from './money'

test.each([
  [9_990_000, 0, '9.99'],
  [9_900_000, 2, '9.90'],
  [1_000_000, 0, '1'],
  [1_000_000, 2, '1.00'],
  [-500_000, 0, '-0.5'],
  [1, 2, '0.000001'],
  [0, 0, '0'],
])('%p micros with %p digits are %p', (micros, digits, text) => {
  expect(toDecimal(micros, digits)).toBe(text)
  expect(fromDecimal(text)).toBe(BigInt(micros))
})

test('halves are rounded away from zero, as numbers and as integers of any size', () => {
  const halves = [-1.5, -0.5, -0.4, 0.4, 0.5, 1.5].map((half) => [half, roundHalfAway(half) + 0])
  expect(halves).toEqual([
    [-1.5, -2],
    [-0.5, -1],
    [-0.4, 0],
    [0.4, 0],
    [0.5, 1],
    [1.5, 2],
  ])
  for (const [half, rounded = 0] of halves) expect(divideHalfAway(BigInt((half ?? 0) * 10), 10n)).toBe(BigInt(rounded))
  expect(divideHalfAway(3n * 10n ** 30n + 1n, 2n)).toBe(15n * 10n ** 29n + 1n)
})
