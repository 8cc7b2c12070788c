import { describe, expect, test } from 'bun:test'
import { isBraked, isPoolBraked, type Tally } from './reconcile-brake'

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
      expect(isBraked(tally(checked, drifted))).toBe(expected))
})

describe('many small ones together', () => {
  test('stop when they would as one', () => {
    expect(isPoolBraked([tally(50, 3), tally(50, 3)])).toBe(true)
    expect(isPoolBraked([tally(50, 3), tally(50, 2)])).toBe(false)
    expect(isPoolBraked([tally(49, 49), tally(50, 50)])).toBe(false)
  })
  test('do not stop for one that has to stop alone', () =>
    expect(isPoolBraked([tally(100, 100), tally(80, 1), tally(80, 1)])).toBe(false))
  test('none at all do not stop', () => expect(isPoolBraked([])).toBe(false))
})
