import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE } from '../../base/lib/clock'
import { foldObservations } from '../../people/purchases/fold'
import { anyLife, day, foldOf, mark, sold, trial, word } from '../../people/purchases/lives.fixtures'
import { BILLING_RETRY_LIMIT, statusAt } from '../../people/purchases/status'
import type { Observation } from '../../stores/observation'
import { recheckAt } from './recheck-at'

const SOON = 15 * MINUTE

describe('the store is asked again', () => {
  const monthly = sold()
  const cases: [fact: string, known: Observation[], reportedOn: number, expected: number | null][] = [
    ['a day after its last word about what runs', [monthly], 3, day(4)],
    ['shortly after an end that comes before that', [monthly], 29.5, day(30) + SOON],
    ['a day later at an end more than a day away', [monthly], 29, day(30)],
    ['a trial as much as what is paid for', [trial()], 6.5, day(7) + SOON],
    ['a day after a word that came with the end', [monthly], 30, day(31)],
    ['not after a word from a day after the end', [monthly], 31, null],
    ['at once about an old receipt of what ran on when it was signed', [monthly], 0, day(1)],
    [
      'shortly after the end of a grace period',
      [monthly, word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })],
      45.5,
      day(46) + SOON,
    ],
    ['daily while the store tries to charge', [monthly, word(30, { billingTrouble: 'RETRY' })], 50, day(51)],
    [
      'shortly after the clock has given that up',
      [monthly, word(30, { billingTrouble: 'RETRY' })],
      89.5,
      day(30) + BILLING_RETRY_LIMIT + SOON,
    ],
    ['not once that is confirmed', [monthly, word(30, { billingTrouble: 'RETRY' })], 90.1, null],
    ['daily in a pause', [monthly, word(30, { pausedAt: day(30) })], 40, day(41)],
    ['not after a refund', [monthly, mark('REFUND', 5)], 5, null],
    ['not after a revocation', [monthly, mark('REVOCATION', 5)], 5, null],
  ]
  for (const [fact, known, reportedOn, expected] of cases)
    test(fact, () => expect(recheckAt(foldOf(known), day(reportedOn))).toBe(expected))

  const lifetime = () => foldOf([sold({ expiresAt: null })], 'NON_CONSUMABLE')
  const ages: [age: number, expected: number][] = [
    [0, 1],
    [10, 11],
    [100, 110],
    [365, 401.5],
  ]
  for (const [age, expected] of ages)
    test(`about a lifetime purchase ${age} days old ${expected - age} days later`, () =>
      expect(recheckAt(lifetime(), day(age))).toBe(day(expected)))

  test('always later than it was heard', () => {
    const law = fc.property(anyLife, fc.integer({ min: -10, max: 400 }), (life, reportedOn) => {
      const fold = foldObservations(life, 'SUBSCRIPTION')
      const at = fold && recheckAt(fold, day(reportedOn))
      return at === null || at > day(reportedOn)
    })
    fc.assert(law, { numRuns: 500 })
  })

  test('in the end never more about a subscription that the store says nothing new of', () => {
    const law = fc.property(anyLife, (life) => {
      const fold = foldObservations(life, 'SUBSCRIPTION')
      if (!fold || statusAt(fold, day(5000)).status !== 'EXPIRED') return
      expect(recheckAt(fold, day(5000))).toBeNull()
    })
    fc.assert(law, { numRuns: 500 })
  })
})
