import { expect, test } from 'bun:test'
import type { Observation } from '../../stores/observation'
import { foldObservations } from './fold'
import { transactionLines } from './lines'
import { day, mark, sold } from './lives.fixtures'
import { statusAt } from './status'

const signed = (at: number, isRevoked: boolean): Observation => sold({ isRevoked }, day(at))

const cases: [name: string, observations: Observation[], status: string][] = [
  ['signed before the refund', [signed(0, false), mark('REFUND', 5)], 'REFUNDED'],
  ['signed at its instant', [signed(5, false), mark('REFUND', 5)], 'REFUNDED'],
  ['signed after the refund without its date', [signed(0, false), mark('REFUND', 5), signed(7, false)], 'ACTIVE'],
  ['signed after the refund with its date', [mark('REFUND', 5), signed(7, true)], 'REFUNDED'],
  [
    'signed with the date after it was signed without',
    [mark('REFUND', 5), signed(6, false), signed(7, true)],
    'REFUNDED',
  ],
  [
    'signed without the date after it was signed with',
    [mark('REFUND', 5), signed(6, true), signed(7, false)],
    'ACTIVE',
  ],
  ['refunded again', [mark('REFUND', 5), signed(7, false), mark('REFUND', 8)], 'REFUNDED'],
  ['a revocation', [mark('REVOCATION', 5), signed(7, false)], 'ACTIVE'],
  ['a report of a store that does not tell', [mark('REFUND', 5), sold({}, day(7))], 'REFUNDED'],
]
for (const [name, observations, status] of cases)
  test(`${name}: ${status}, in any order`, () => {
    for (const order of [observations, observations.toReversed()]) {
      const fold = foldObservations(order, 'SUBSCRIPTION')
      expect(fold && statusAt(fold, day(10)).status).toBe(status as never)
    }
  })

test('a reversal that is reported too is one line, at its own instant', () => {
  const observations = [signed(0, false), mark('REFUND', 5), signed(7, false), mark('REVERSAL', 8)]
  expect(transactionLines(observations, 'SUBSCRIPTION').map(({ kind, occurredAt }) => [kind, occurredAt])).toEqual([
    ['INITIAL', day(0)],
    ['REFUND', day(5)],
    ['REFUND_REVERSAL', day(8)],
  ])
})
