import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { beginning, lifeAfter, nextCheckAt } from './lifecycle'
import type { DomainLife, Proof } from './model'

const START = 1_000_000 * HOUR
const pending = beginning(START)
const verified: DomainLife = { ...pending, status: 'VERIFIED', verifiedAt: START + MINUTE }

describe('after a check,', () => {
  const cases: [name: string, life: DomainLife, proof: Proof, after: number, expected: Partial<DomainLife>][] = [
    ['a shown record verifies', pending, 'SHOWN', MINUTE, { status: 'VERIFIED', verifiedAt: START + MINUTE }],
    ['no record keeps it pending', pending, 'MISSING', 71 * HOUR, { status: 'PENDING' }],
    ['no answer keeps it pending', pending, 'UNKNOWN', 71 * HOUR, { status: 'PENDING' }],
    ['no record at 72 hours fails', pending, 'MISSING', 72 * HOUR, { status: 'FAILED', failure: 'NOT_PROVED' }],
    ['no answer at 72 hours fails', pending, 'UNKNOWN', 72 * HOUR, { status: 'FAILED' }],
    ['a record at 72 hours still verifies', pending, 'SHOWN', 72 * HOUR, { status: 'VERIFIED' }],
    [
      'a moved name begins its 72 hours now',
      { ...pending, cycleAt: null },
      'MISSING',
      80 * HOUR,
      {
        ...{ status: 'PENDING', cycleAt: START + 80 * HOUR },
      },
    ],
    ['a failed name stays failed', { ...pending, status: 'FAILED' }, 'MISSING', 80 * HOUR, { status: 'FAILED' }],
    ['a verified name keeps its instant', verified, 'SHOWN', DAY, { verifiedAt: START + MINUTE, missingSince: null }],
    ['a gone record is remembered', verified, 'MISSING', DAY, { status: 'VERIFIED', missingSince: START + DAY }],
    ['no answer is no gone record', verified, 'UNKNOWN', DAY, { status: 'VERIFIED', missingSince: null }],
    ['a record that is back forgets', { ...verified, missingSince: START }, 'SHOWN', DAY, { missingSince: null }],
    [
      '6 days without the record are forgiven',
      { ...verified, missingSince: START },
      'MISSING',
      7 * DAY - 1,
      {
        ...{ status: 'VERIFIED', missingSince: START },
      },
    ],
    [
      '7 days without it are not',
      { ...verified, missingSince: START },
      'MISSING',
      7 * DAY,
      {
        ...{ status: 'PENDING', cycleAt: START + 7 * DAY, verifiedAt: null, missingSince: null },
      },
    ],
    [
      'no answer never ends a verified name',
      { ...verified, missingSince: START },
      'UNKNOWN',
      30 * DAY,
      {
        ...{ status: 'VERIFIED', missingSince: START },
      },
    ],
  ]
  for (const [name, life, proof, after, expected] of cases)
    test(name, () => expect(lifeAfter(life, proof, START + after)).toMatchObject(expected))
})

test('a pending name is checked at 1, 2, 5, 10 and 30 minutes and then at full hours to the 72nd', () => {
  const instants: number[] = []
  for (let now = START; instants.length < 200; ) {
    const next = nextCheckAt(pending, false, now)
    if (next === null || next > START + 72 * HOUR) break
    instants.push((next - START) / MINUTE)
    now = next
  }
  expect(instants).toEqual([1, 2, 5, 10, 30, ...Array.from({ length: 72 }, (_, hour) => (hour + 1) * 60)])
})

test('a late check is followed by the next instant that has not passed', () => {
  expect(nextCheckAt(pending, false, START + 7 * MINUTE)).toBe(START + 10 * MINUTE)
  expect(nextCheckAt(pending, false, START + 130 * MINUTE)).toBe(START + 3 * HOUR)
})

test('a verified name is checked daily once nothing is missing, and a failed one never', () => {
  expect(nextCheckAt(verified, false, START + MINUTE)).toBe(START + 2 * MINUTE)
  expect(nextCheckAt(verified, true, START + MINUTE)).toBe(START + MINUTE + DAY)
  expect(nextCheckAt(verified, false, START + 72 * HOUR)).toBe(START + 96 * HOUR)
  expect(nextCheckAt({ ...verified, missingSince: START }, true, START + 9 * DAY)).toBe(START + 9 * DAY + HOUR)
  expect(nextCheckAt({ ...pending, status: 'FAILED' }, false, START)).toBeNull()
})
