import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { divide } from './divide'

const cases: [amount: number, weights: number[], parts: number[]][] = [
  [1498, [999, 499], [999, 499]],
  [749, [999, 499], [500, 249]],
  [100, [1, 1, 1], [34, 33, 33]],
  [1000, [999, 499, -3], [667, 333, 0]],
  [5, [0, 0], [5, 0]],
  [0, [999, 499], [0, 0]],
  [7, [], []],
]
for (const [amount, weights, parts] of cases)
  test(`${amount} by ${weights.join(', ')}`, () => expect(divide(amount, weights)).toEqual(parts))

test('the parts are the whole, and none differs from its share by a unit', () =>
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 20 }), (amount, weights) => {
      const parts = divide(amount, weights)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
      if (total > 0)
        for (const [index, part] of parts.entries())
          expect(Math.abs(part - (amount * (weights[index] ?? 0)) / total)).toBeLessThan(1)
    }),
    { seed: 20261120 },
  ))
