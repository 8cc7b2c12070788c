import { describe, expect, test } from 'bun:test'
import { isOverDriftLimit, type Tally } from './store-run'

const tally = (checked: number, drifted: number): Tally => ({ checked, drifted })

describe('the brake', () => {
  const cases: [checked: number, drifted: number, expected: boolean][] = [
    [0, 0, false],
    [99, 99, false],
    [100, 0, false],
    [100, 5, false],
    [100, 6, true],
    [101, 5, false],
    [119, 6, true],
    [120, 6, false],
    [1000, 50, false],
    [1000, 51, true],
  ]
  for (const [checked, drifted, expected] of cases)
    test(`${drifted} of ${checked} ${expected ? 'stop' : 'go on'}`, () =>
      expect(isOverDriftLimit(tally(checked, drifted))).toBe(expected))
})
